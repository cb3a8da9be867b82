import type { SignIn, UserSession } from "@portal/contract/entities/settings";
import {
  endOtherSessions,
  endSession,
  getSettings,
  listSessions,
  listSignIns,
  unlinkProvider,
  updateCallSettings,
  updateInterfaceSettings,
  updateNotificationSettings,
  updateProfile,
} from "@portal/contract/routes/account";
import { getOrganisationSettings, updateOrganisationSettings } from "@portal/contract/routes/admin";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { getPhoneNumbers } from "@portal/contract/routes/calls";
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { STORAGE_KEYS } from "../../../lib/storage-keys.ts";
import { buildSettings, buildUser } from "../../../testing/builders.ts";
import { renderApp } from "../../../testing/render.tsx";
import { refuse, replyTo, server } from "../../../testing/server.ts";
import { SettingsPage } from "./settings-page.tsx";

const session = (overrides: Partial<UserSession>): UserSession => ({
  id: 1,
  current: false,
  createdAt: "2026-11-19T12:00:00.000Z",
  lastSeenAt: new Date(Date.now() - 7_200_000).toISOString(),
  address: "203.0.113.7",
  userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1",
  ...overrides,
});

async function choose(user: UserEvent, label: string, option: string) {
  await user.click(screen.getByRole("combobox", { name: label }));
  await user.click(await screen.findByRole("option", { name: option }));
}

it("lists its sections, each with its own address, and two more for administrators", async () => {
  renderApp(<SettingsPage />);
  const nav = screen.getByRole("navigation", { name: "Sections of the settings", hidden: true });
  const links = within(nav).getAllByRole("link", { hidden: true });
  await screen.findByText("Call recording");
  const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(links.map(({ textContent }) => textContent)).toEqual(headings);
  for (const link of links) {
    const section = document.querySelector(link.getAttribute("href") ?? "");
    expect(section?.querySelector("h2")?.textContent).toBe(link.textContent);
  }
  expect(headings).not.toContain("Organization");
});

describe("the profile", () => {
  it("saves name and email, sending only what changed", async () => {
    let sent: unknown;
    server.use(
      replyTo(updateProfile, ({ body }) => {
        sent = body;
        return buildUser({ name: "Ana Ríos" });
      }),
      replyTo(getCurrentUser, buildUser({ name: "Ana Ríos" })),
    );
    const { user } = renderApp(<SettingsPage />);
    await user.click(screen.getByRole("button", { name: "Save Profile" }));
    expect(await screen.findByText("No changes detected to save.")).toBeDefined();
    await user.clear(screen.getByLabelText("Name"));
    await user.type(screen.getByLabelText("Name"), "Ana Ríos");
    await user.click(screen.getByRole("button", { name: "Save Profile" }));
    expect(await screen.findByText("Profile Updated")).toBeDefined();
    expect(sent).toEqual({ name: "Ana Ríos" });
  });
});

describe("notifications", () => {
  const emailToggle = () => screen.findByRole("switch", { name: "Email notifications" });

  it("save only changes; email is disabled and explained when the server sends none", async () => {
    let sent: unknown;
    server.use(
      replyTo(updateNotificationSettings, ({ body }) => {
        sent = body;
        return { ...buildSettings().notifications, sms: false };
      }),
    );
    const { user } = renderApp(<SettingsPage />);
    expect((await emailToggle()).getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByText(/Mail is not set up on this server/)).toBeDefined();
    await user.click(screen.getByRole("switch", { name: "SMS notifications" }));
    await user.click(screen.getByRole("button", { name: "Save Notification Settings" }));
    expect(await screen.findByText("Your notification settings have been saved.")).toBeDefined();
    expect(sent).toEqual({ sms: false });
    await user.click(screen.getByRole("button", { name: "Save Notification Settings" }));
    expect(await screen.findByText("No Changes")).toBeDefined();
  });

  it("offer email when the server sends it", async () => {
    server.use(replyTo(getSettings, buildSettings({ mail: true })));
    renderApp(<SettingsPage />);
    expect((await emailToggle()).getAttribute("aria-disabled")).toBeNull();
  });
});

describe("the link to the login provider", () => {
  const linked = (canUnlink: boolean) =>
    buildSettings({
      signIn: {
        password: !canUnlink,
        provider: { name: "Example Login", linked: true, canUnlink, passwordPage: null },
      },
    });

  it("is removed with the local password, and the page shows it", async () => {
    let settings = linked(true);
    const sent: unknown[] = [];
    server.use(
      replyTo(getSettings, () => settings),
      refuse(unlinkProvider, "current_password_wrong", "Wrong"),
    );
    const { user } = renderApp(<SettingsPage />);
    const opener = await screen.findByRole("button", { name: "Unlink" });
    await user.click(opener);
    const dialog = within(await screen.findByRole("dialog", { name: "Unlink Example Login?" }));
    const confirm = dialog.getByRole("button", { name: "Unlink" });
    expect(confirm.getAttribute("aria-disabled")).toBe("true");
    await user.type(dialog.getByLabelText("The password kept here"), "mine");
    await user.click(confirm);
    expect(await screen.findByText("Update Failed")).toBeDefined();
    server.use(
      replyTo(unlinkProvider, ({ body }) => {
        sent.push(body);
        settings = buildSettings({
          signIn: {
            password: true,
            provider: { name: "Example Login", linked: false, canUnlink: false, passwordPage: null },
          },
        });
        return { message: "ok" };
      }),
    );
    await user.click(confirm);
    expect(await screen.findByText(/is not linked to Example Login/)).toBeDefined();
    expect(sent).toEqual([{ currentPassword: "mine" }]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Login provider"));
  });

  it("cannot be removed without a local password, and the page explains why", async () => {
    server.use(replyTo(getSettings, linked(false)));
    renderApp(<SettingsPage />);
    expect(await screen.findByText(/Your administrator can unlink it/)).toBeDefined();
    expect(screen.queryByRole("button", { name: "Unlink" })).toBeNull();
  });
});

describe("sessions", () => {
  it("are listed by browser, this one first, and can be ended one by one or all but this one", async () => {
    let sessions = [session({ id: 4 }), session({ id: 9, current: true, userAgent: null })];
    const ended: unknown[] = [];
    server.use(
      replyTo(listSessions, () => sessions),
      replyTo(endSession, ({ params }) => {
        ended.push(params.id);
        sessions = sessions.filter(({ id }) => String(id) !== params.id);
        return { message: "ok" };
      }),
      replyTo(endOtherSessions, () => {
        ended.push("others");
        sessions = sessions.filter(({ current }) => current);
        return { message: "ok", ended: 1 };
      }),
    );
    const { user, client } = renderApp(<SettingsPage />);
    const end = await screen.findByRole("button", { name: "Sign out there: Safari on iPhone" });
    const listed = () => within(screen.getByRole("list", { name: "Sessions" })).getAllByRole("listitem");
    expect(listed().map((row) => within(row).queryByText("This browser") !== null)).toEqual([true, false]);
    expect(listed()[0]?.textContent).toContain("Unknown browser");
    expect(listed()[1]?.textContent).toContain("Last seen 2 hours ago");
    expect(listed()[1]?.textContent).toContain("203.0.113.7");
    await user.click(end);
    expect(await screen.findByText("You were signed out there.")).toBeDefined();
    await waitFor(() => expect(listed()).toHaveLength(1));
    expect(screen.queryByRole("button", { name: "Sign out everywhere else" })).toBeNull();

    sessions = [session({ id: 5 }), ...sessions];
    await client.invalidateQueries({ queryKey: [listSessions.path] });
    await user.click(await screen.findByRole("button", { name: "Sign out everywhere else" }));
    expect(await screen.findByText("You were signed out everywhere else.")).toBeDefined();
    expect(ended).toEqual(["4", "others"]);
  });
});

describe("sign-ins", () => {
  it("are listed with time, method and place, refused ones marked, and the rest shown with one press", async () => {
    const signIn = (id: number, overrides: Partial<SignIn> = {}): SignIn => ({
      id,
      at: "2026-11-19T15:32:00.000Z",
      refused: false,
      by: "password",
      count: 1,
      address: "203.0.113.7",
      userAgent: session({}).userAgent,
      ...overrides,
    });
    const first = [
      signIn(9, { refused: true, count: 3 }),
      signIn(8, { by: "provider" }),
      signIn(7, { by: "link", address: null, userAgent: null }),
    ];
    server.use(replyTo(listSignIns, [...first, signIn(6), signIn(5), signIn(4)]));
    const { user } = renderApp(<SettingsPage />);
    const list = within(await screen.findByRole("region", { name: "Recent sign-ins" }));
    const rows = (await list.findAllByRole("listitem")).map((row) => row.textContent);
    expect(rows).toHaveLength(5);
    expect(rows[0]).toMatch(/^Safari on iPhoneRefused 3 timesNov 19, 2026, .+ · Password · 203\.0\.113\.7$/);
    expect(rows[1]).toContain("Login provider");
    expect(rows[2]).toMatch(/^Unknown browserNov 19, 2026, .+ · Password chosen by a one-time link$/);
    await user.click(list.getByRole("button", { name: "Show all 6" }));
    expect(list.getAllByRole("listitem")).toHaveLength(6);
  });
});

describe("phone settings", () => {
  it("disables Save while the number is empty", async () => {
    const { user } = renderApp(<SettingsPage />);
    const save = screen.getByRole("button", { name: "Save Phone Number" });
    expect(save.getAttribute("aria-disabled")).toBeNull();
    await user.clear(screen.getByLabelText("Personal Phone Number"));
    expect(save.getAttribute("aria-disabled")).toBe("true");
    await user.type(screen.getByLabelText("Personal Phone Number"), "   ");
    expect(save.getAttribute("aria-disabled")).toBe("true");
  });

  it("saves any number as typed and shows a toast", async () => {
    let sent: unknown;
    server.use(
      replyTo(updateProfile, ({ body }) => {
        sent = body;
        return buildUser({ personalPhoneNumber: "787 555 0102" });
      }),
      replyTo(getCurrentUser, buildUser({ personalPhoneNumber: "787 555 0102" })),
    );
    server.use(
      replyTo(getPhoneNumbers, {
        systemNumber: "+12125550100",
        officeLine: "+12125550101",
        textsByService: false,
      }),
    );
    const { user } = renderApp(<SettingsPage />, { currentUser: buildUser({ personalPhoneNumber: null }) });
    expect(await screen.findByText(/your calls ring the office line \(212\) 555-0101/)).toBeTruthy();
    await user.type(screen.getByLabelText("Personal Phone Number"), " 787 555 0102 ");
    await user.click(screen.getByRole("button", { name: "Save Phone Number" }));
    expect(await screen.findByText("Número Actualizado")).toBeDefined();
    expect(sent).toEqual({ personalPhoneNumber: "787 555 0102" });
  });

  it("shows the server's message when saving fails", async () => {
    server.use(refuse(updateProfile, "phone_invalid", "This phone number is not valid."));
    const { user } = renderApp(<SettingsPage />);
    await user.click(screen.getByRole("button", { name: "Save Phone Number" }));
    expect(await screen.findByText("Error al Actualizar")).toBeDefined();
    expect(screen.getByText("This phone number is not valid.")).toBeDefined();
  });
});

describe("call settings", () => {
  it("saves whether the next lead is called automatically", async () => {
    let sent: unknown;
    server.use(
      replyTo(updateCallSettings, ({ body }) => {
        sent = body;
        return { autoDial: false, callRecording: true, voicemailTranscription: true, pressOne: true };
      }),
      replyTo(getCurrentUser, buildUser({ autoDial: false })),
    );
    const { user } = renderApp(<SettingsPage />);
    const toggle = await screen.findByRole("switch", { name: "Auto dial" });
    expect(toggle.getAttribute("aria-checked")).toBe("true");
    await user.click(toggle);
    expect(sent).toBeUndefined();
    await user.click(screen.getByRole("button", { name: "Save Call Settings" }));
    expect(await screen.findByText("Your call settings have been saved.")).toBeDefined();
    expect(sent).toEqual({ autoDial: false });
  });
});

describe("the organization's settings", () => {
  it("are shown to administrators: machine detection with its cost", async () => {
    let sent: unknown;
    server.use(
      replyTo(getOrganisationSettings, {
        machineDetection: true,
        voicemailDrop: false,
        secondFactorRoles: [],
        firstCallMinutes: 5,
      }),
      replyTo(updateOrganisationSettings, ({ body }) => {
        sent = body;
        return { machineDetection: false, voicemailDrop: false, secondFactorRoles: [], firstCallMinutes: 5 };
      }),
    );
    const { user } = renderApp(<SettingsPage />, { currentUser: buildUser({ role: "admin" }) });
    const toggle = await screen.findByRole("switch", {
      name: "Machine detection",
      description: /\$0\.0075 a call/,
    });
    await user.click(toggle);
    await user.click(screen.getByRole("button", { name: "Save Organization Settings" }));
    expect(await screen.findByText("The organization's settings have been saved.")).toBeDefined();
    expect([sent, toggle.getAttribute("aria-checked")]).toEqual([{ machineDetection: false }, "false"]);
  });

  it("are not shown to consultants", async () => {
    renderApp(<SettingsPage />);
    await screen.findByRole("switch", { name: "Auto dial" });
    expect(screen.queryByRole("switch", { name: "Machine detection" })).toBeNull();
  });
});

describe("interface settings", () => {
  it("disables single keys for the account, once that is saved", async () => {
    const sent: unknown[] = [];
    server.use(
      replyTo(updateInterfaceSettings, ({ body }) => {
        sent.push(body);
        return {
          theme: "auto" as const,
          language: "en" as const,
          singleKeys: false,
          sidebarPinned: false,
          lists: {},
        };
      }),
      replyTo(getCurrentUser, () => buildUser({ singleKeys: false })),
    );
    const { user } = renderApp(<SettingsPage />);
    await user.click(await screen.findByRole("switch", { name: "Single keys" }));
    expect(sent).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Save Shortcut Settings" }));
    expect(await screen.findByText("Your shortcut settings have been saved.")).toBeDefined();
    expect(sent).toEqual([{ singleKeys: false }]);
  });

  it("applies theme and language only once they are saved", async () => {
    server.use(
      replyTo(updateInterfaceSettings, ({ body }) => ({
        ...(body as { theme: "dark"; language: "es" }),
        singleKeys: true,
        lists: {},
        sidebarPinned: false,
      })),
      replyTo(getCurrentUser, () => buildUser({ theme: "dark", language: "es" })),
    );
    const { user } = renderApp(<SettingsPage />);
    await choose(user, "Theme", "Dark");
    await choose(user, "Language", "Spanish");
    expect(document.documentElement.classList.contains("dark")).toBe(false);
    expect(localStorage.getItem(STORAGE_KEYS.theme)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Save Interface Settings" }));
    expect(await screen.findByRole("heading", { name: "Configuración" })).toBeDefined();
    expect(document.documentElement.classList.contains("dark")).toBe(true);
    expect(localStorage.getItem(STORAGE_KEYS.theme)).toBe("dark");
    expect(localStorage.getItem(STORAGE_KEYS.language)).toBe("es");
    expect(await screen.findByText("Configuración guardada")).toBeDefined();
  });

  it("changes nothing when saving fails", async () => {
    server.use(refuse(updateInterfaceSettings, "internal", "Something went wrong."));
    const { user } = renderApp(<SettingsPage />);
    await choose(user, "Language", "Spanish");
    await user.click(screen.getByRole("button", { name: "Save Interface Settings" }));
    expect(await screen.findByText("Update Failed")).toBeDefined();
    expect(screen.getByRole("heading", { name: "Settings" })).toBeDefined();
    await waitFor(() => expect(localStorage.getItem(STORAGE_KEYS.language)).toBeNull());
  });
});
