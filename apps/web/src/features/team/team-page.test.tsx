import { listSalesReps } from "@portal/contract/routes/assignment";
import {
  createMember,
  deactivateMember,
  listTeam,
  type TeamMember,
  transferMemberLeads,
  unlinkMember,
  updateMember,
  updateMemberAvailability,
} from "@portal/contract/routes/team";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { buildUser } from "../../testing/builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";

const admin = buildUser({ id: 1, name: "Carmen Ortiz", email: "admin@portal.test", role: "admin" });

function buildMember(overrides: Partial<TeamMember> = {}): TeamMember {
  return {
    id: 2,
    name: "Ana Rivera",
    email: "ana@portal.test",
    role: "consultant",
    language: "en",
    personalPhoneNumber: "+1 787 555 0101",
    profileImage: null,
    createdAt: "2026-01-05T12:00:00.000Z",
    disabledAt: null,
    lastActiveAt: null,
    hasPassword: true,
    linked: false,
    secondFactor: false,
    sessions: 1,
    assigned: 0,
    leads: 0,
    availability: { state: "available", until: null, hours: null, standIn: null },
    ...overrides,
  };
}

/** The page with Carmen and these members. */
async function open(...members: TeamMember[]) {
  const own = buildMember({ id: 1, name: "Carmen Ortiz", email: "admin@portal.test", role: "admin" });
  server.use(replyTo(listTeam, [...members, own]));
  const rendered = renderPortal("/team-access", admin);
  expect(await screen.findByRole("heading", { level: 1, name: "Loading Team Access..." })).toBeDefined();
  await screen.findByRole("heading", { level: 1, name: "Team Access" });
  const { user } = rendered;
  return {
    user,
    async choose(name: string, action: string) {
      await user.click(screen.getByRole("button", { name: `Actions for ${name}` }));
      await user.click(await screen.findByRole("menuitem", { name: action }));
    },
  };
}

describe("the team page", () => {
  it("explains to a consultant why it is empty, without a request", async () => {
    renderPortal("/team-access");
    expect(await screen.findByText("Only administrators see the team")).toBeDefined();
  });

  it("shows open accounts before closed ones, filters them, and offers only applicable actions", async () => {
    const { user } = await open(
      buildMember({
        id: 3,
        name: "Álvaro Closed",
        disabledAt: "2026-11-01T12:00:00.000Z",
        sessions: 0,
        assigned: 6,
        leads: 4,
      }),
      buildMember({ id: 4, name: "Zoé Prats", hasPassword: false, sessions: 0 }),
    );
    const cards = () => within(screen.getByRole("list", { name: "Team Access" })).getAllByRole("listitem");
    expect(cards().map((card) => card.textContent?.match(/Álvaro|Zoé|Carmen/)?.[0])).toEqual([
      "Zoé",
      "Carmen",
      "Álvaro",
    ]);
    expect(within(cards()[0] as HTMLElement).getByText("No sign-in yet")).toBeDefined();
    const count = within(cards()[2] as HTMLElement).getByRole("link", { name: "6, leads of Álvaro Closed" });
    expect(count.getAttribute("href")).toBe("/all-leads?rep=3");
    const offered = async (name: string) => {
      await user.click(screen.getByRole("button", { name: `Actions for ${name}` }));
      const items = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
      await user.keyboard("{Escape}");
      return items;
    };
    expect(await offered("Carmen Ortiz")).toEqual(["Edit"]);
    expect(await offered("Zoé Prats")).toEqual(["Edit", "Availability", "Password link", "Deactivate"]);
    expect(await offered("Álvaro Closed")).toEqual(["Edit", "Transfer leads", "Reactivate"]);
    await user.type(screen.getByRole("searchbox", { name: "Search the team" }), "zoe");
    expect(cards()).toHaveLength(1);
    expect(within(screen.getByRole("main")).getByRole("status").textContent).toBe("1 account");
  });
});

describe("an account", () => {
  it("shows that a user is away and until when, and lets an administrator change it with hours and stand-in", async () => {
    const sent: unknown[] = [];
    server.use(
      replyTo(listSalesReps, [{ id: 5, name: "Luis Torres", email: "luis@portal.test" }]),
      replyTo(updateMemberAvailability, ({ body, params }) => {
        sent.push({ id: params.id, ...(body as object) });
        return buildMember();
      }),
    );
    const away = { state: "away", until: null, hours: null, standIn: null } as const;
    const { user, choose } = await open(buildMember({ availability: away }));
    expect(screen.getByText("Away")).toBeDefined();
    await choose("Ana Rivera", "Availability");
    const form = within(await screen.findByRole("dialog", { name: "Availability of Ana Rivera" }));
    await user.click(form.getByRole("switch", { name: "Keep working hours" }));
    const to = form.getByLabelText("Mon, to");
    await user.clear(to);
    await user.type(to, "08:00");
    await user.click(form.getByRole("button", { name: "Save Changes" }));
    expect(sent).toEqual([]);
    await user.clear(to);
    await user.type(to, "17:30");
    await user.click(form.getByRole("combobox", { name: "Now" }));
    await user.click(await screen.findByRole("option", { name: "Available again" }));
    await user.click(form.getByRole("combobox", { name: /Stand-in/ }));
    await user.click(await screen.findByRole("option", { name: "Luis Torres" }));
    await user.click(form.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      id: "2",
      away: false,
      standInId: 5,
      hours: { days: [{ from: "09:00", to: "17:30" }, {}, {}, {}, {}, null, null] },
    });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("is unlinked from the login provider after a confirmation, but not the administrator's own", async () => {
    const ended: unknown[] = [];
    server.use(
      replyTo(unlinkMember, ({ params }) => {
        ended.push(params.id);
        return buildMember();
      }),
    );
    const { choose } = await open(buildMember({ linked: true }));
    await choose("Ana Rivera", "Unlink login provider");
    const question = within(await screen.findByRole("alertdialog"));
    fireEvent.click(question.getByRole("button", { name: "Unlink" }));
    expect(await screen.findByText("Ana Rivera is no longer linked to the login provider.")).toBeDefined();
    expect(ended).toEqual(["2"]);
  });

  it("is created with the typed values, and its link is shown until it is dismissed", async () => {
    let sent: unknown;
    const link = { url: "https://portal.example.com/choose-password#abc", mailed: false };
    server.use(
      replyTo(createMember, ({ body }) => {
        sent = body;
        const member = buildMember({ id: 9, name: "Nora Quiles" });
        return { member, link: { ...link, expiresAt: "2026-11-22T12:00:00.000Z" } };
      }),
    );
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Add person" }));
    const form = within(await screen.findByRole("dialog", { name: "Add a person" }));
    await user.type(form.getByLabelText("Full Name"), " Nora Quiles ");
    await user.type(form.getByLabelText("Email Address"), "nora");
    await user.click(form.getByRole("button", { name: "Add person" }));
    expect(form.getByText("Write an email address like name@example.com.")).toBeDefined();
    expect(sent).toBeUndefined();
    await user.type(form.getByLabelText("Email Address"), "@example.com");
    await user.click(form.getByRole("button", { name: "Add person" }));
    const shown = within(await screen.findByRole("dialog", { name: "One-time link for Nora Quiles" }));
    expect(shown.getByLabelText<HTMLInputElement>("Link").value).toBe(link.url);
    expect(sent).toEqual({
      name: "Nora Quiles",
      email: "nora@example.com",
      role: "consultant",
      language: "en",
    });
    await user.click(shown.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("sends only changed fields, and marks an email that is taken", async () => {
    server.use(refuse(updateMember, "email_taken", "Taken"));
    const { user, choose } = await open(buildMember());
    await choose("Ana Rivera", "Edit");
    const form = within(await screen.findByRole("dialog", { name: "Edit Ana Rivera" }));
    await user.click(form.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText("No Changes")).toBeDefined();
    const email = form.getByLabelText<HTMLInputElement>("Email Address");
    await user.clear(email);
    await user.type(email, "admin@portal.test");
    await user.click(form.getByRole("button", { name: "Save Changes" }));
    expect(await form.findByText("Another account has this address.")).toBeDefined();
    expect(email.getAttribute("aria-invalid")).toBe("true");
    const bodies: unknown[] = [];
    server.use(
      replyTo(updateMember, ({ body }) => {
        bodies.push(body);
        return buildMember();
      }),
    );
    await user.clear(email);
    await user.type(email, "ana.r@portal.test");
    await user.click(form.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText("Saved")).toBeDefined();
    expect(bodies).toEqual([{ email: "ana.r@portal.test" }]);
  });

  it("is deactivated, and its leads are transferred to the chosen consultants until none is left", async () => {
    const calls: string[] = [];
    let left = 1_200;
    server.use(
      replyTo(deactivateMember, () => {
        calls.push("deactivate");
        return buildMember({ disabledAt: "2026-11-20T12:00:00.000Z" });
      }),
      replyTo(transferMemberLeads, ({ body }) => {
        calls.push(JSON.stringify(body));
        const transferred = Math.min(500, left);
        left -= transferred;
        return { transferred, left };
      }),
    );
    const { user, choose } = await open(
      buildMember({ leads: 1_200 }),
      buildMember({ id: 5, name: "Luis Mendoza" }),
      buildMember({ id: 6, name: "Sofía Rivas" }),
      buildMember({ id: 7, name: "Gone Before", disabledAt: "2026-11-01T12:00:00.000Z" }),
    );
    await choose("Ana Rivera", "Deactivate");
    const dialog = within(await screen.findByRole("dialog", { name: "Deactivate Ana Rivera?" }));
    const takers = within(dialog.getByRole("group", { name: "Give their 1,200 leads to" }));
    expect(takers.getAllByRole("checkbox")).toHaveLength(2);
    expect(dialog.getByRole("button", { name: "Deactivate" })).toBeDefined();
    await user.click(takers.getByRole("checkbox", { name: /Luis Mendoza/ }));
    await user.click(takers.getByRole("checkbox", { name: /Sofía Rivas/ }));
    await user.click(dialog.getByRole("button", { name: "Deactivate and transfer" }));
    expect(await screen.findByText("1,200 leads of Ana Rivera were transferred.")).toBeDefined();
    const body = JSON.stringify({ to: [5, 6], notes: null });
    expect(calls).toEqual(["deactivate", body, body, body]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("whose leads cannot be transferred on deactivation keeps the dialog open for another try", async () => {
    server.use(
      replyTo(deactivateMember, buildMember({ disabledAt: "2026-11-20T12:00:00.000Z" })),
      refuse(transferMemberLeads, "invalid", "Luis is gone."),
    );
    const { user, choose } = await open(
      buildMember({ leads: 2 }),
      buildMember({ id: 5, name: "Luis Mendoza" }),
    );
    await choose("Ana Rivera", "Deactivate");
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("checkbox", { name: /Luis Mendoza/ }));
    await user.click(dialog.getByRole("button", { name: "Deactivate and transfer" }));
    expect(await screen.findByText(/what was transferred stays transferred. Luis is gone\./)).toBeDefined();
    expect(await screen.findByRole("dialog", { name: "Transfer the leads of Ana Rivera" })).toBeDefined();
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /Luis Mendoza/ }).checked).toBe(true);
    expect(dialog.getByRole("button", { name: "Transfer" })).toBeDefined();
  });
});
