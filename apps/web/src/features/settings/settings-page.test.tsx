import { updateCallSettings, updateInterfaceSettings, updateProfile } from "@portal/contract/routes/account";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { buildUser } from "../../testing/builders.ts";
import { renderApp } from "../../testing/render.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";
import { SettingsPage } from "./settings-page.tsx";

async function choose(user: UserEvent, label: string, option: string) {
  await user.click(screen.getByRole("combobox", { name: label }));
  await user.click(await screen.findByRole("option", { name: option }));
}

describe("phone settings", () => {
  it("keeps saving off while the number is empty", async () => {
    const { user } = renderApp(<SettingsPage />);
    const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save Phone Number" });
    expect(save.disabled).toBe(false);
    await user.clear(screen.getByLabelText("Personal Phone Number"));
    expect(save.disabled).toBe(true);
    await user.type(screen.getByLabelText("Personal Phone Number"), "   ");
    expect(save.disabled).toBe(true);
  });

  it("saves any number as typed and says so", async () => {
    let sent: unknown;
    server.use(
      replyTo(updateProfile, ({ body }) => {
        sent = body;
        return buildUser({ personalPhoneNumber: "787 555 0102" });
      }),
      replyTo(getCurrentUser, buildUser({ personalPhoneNumber: "787 555 0102" })),
    );
    const { user } = renderApp(<SettingsPage />, { currentUser: buildUser({ personalPhoneNumber: null }) });
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
  it("keeps whether the next lead is called by itself", async () => {
    let sent: unknown;
    server.use(
      replyTo(updateCallSettings, ({ body }) => {
        sent = body;
        return { autoDial: false, callRecording: true, voicemailTranscription: true, pressOne: true };
      }),
      replyTo(getCurrentUser, buildUser({ autoDial: false })),
    );
    const { user } = renderApp(<SettingsPage />);
    const toggle = screen.getByRole("switch", { name: "Auto dial" });
    expect(toggle.getAttribute("aria-checked")).toBe("true");
    await user.click(toggle);
    expect(sent).toBeUndefined();
    await user.click(screen.getByRole("button", { name: "Save Call Settings" }));
    expect(await screen.findByText("Your call settings have been saved.")).toBeDefined();
    expect(sent).toEqual({ autoDial: false });
  });
});

describe("interface settings", () => {
  it("applies theme and language only once they are saved", async () => {
    server.use(
      replyTo(updateInterfaceSettings, ({ body }) => body as { theme: "dark"; language: "es" }),
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
