import type { CrmConnection } from "@portal/contract/entities/crm-connection";
import {
  getCrmOutbox,
  getCrmStatus,
  getHeldDeletions,
  listCrmRejects,
  listSyncRuns,
} from "@portal/contract/routes/crm";
import {
  beginCrmInstall,
  confirmCrmInstall,
  datePrivateToken,
  getCrmConnection,
  readCrmInstall,
} from "@portal/contract/routes/crm-connection";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { page } from "../../lib/navigation.ts";
import { buildUser } from "../../testing/builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { replyTo, server } from "../../testing/server.ts";

const admin = buildUser({ role: "admin" });
const at = "2026-05-04T12:00:00.000Z";
const none: CrmConnection = {
  way: "none",
  appConfigured: true,
  app: null,
  installedAt: null,
  privateToken: null,
  lastEventAt: null,
  noEvents: false,
};
const app = {
  locationId: "loc1",
  locationName: "Sandbox Sales",
  connectedAt: at,
  lost: null,
  unrenewed: null,
  missingScopes: [] as string[],
};

beforeEach(() => {
  server.use(
    replyTo(getCrmStatus, { connected: true, message: "Connected to GoHighLevel.", usersCount: 4 }),
    replyTo(getHeldDeletions, { held: null }),
    replyTo(listSyncRuns, []),
    replyTo(getCrmOutbox, { pending: 0, failed: 0, sentToday: 0, oldestPendingAt: null, failures: [] }),
    replyTo(listCrmRejects, []),
  );
});
afterEach(() => vi.restoreAllMocks());

describe("the GHL connection card", () => {
  it("links an administrator to HighLevel's page, and shows a consultant no link", async () => {
    const go = vi.spyOn(page, "go").mockImplementation(() => undefined);
    server.use(
      replyTo(getCrmConnection, none),
      replyTo(beginCrmInstall, { installUrl: "https://ghl.test/install" }),
    );
    const { user, unmount } = renderPortal("/integrations", admin);
    await user.click(await screen.findByRole("button", { name: "Install the app" }));
    await vi.waitFor(() => expect(go).toHaveBeenCalledWith("https://ghl.test/install"), 50_000);
    unmount();
    renderPortal("/integrations");
    expect(await screen.findByText("Nothing goes to GHL and nothing comes in.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Install the app" })).toBeNull();
  });

  it("shows a private token's missing scopes and rotation date, and saves that date", async () => {
    const near = { since: at, rotateBy: "2026-08-02T12:00:00.000Z", rotation: "near" as const };
    const held = { ...none, way: "private" as const, noEvents: true, privateToken: near };
    server.use(replyTo(getCrmConnection, held), replyTo(datePrivateToken, held));
    const { user } = renderPortal("/integrations", admin);
    expect(await screen.findByText(/a private token alone gets none/)).toBeTruthy();
    expect(screen.getByText(/Rotate it by/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Set the date" }));
    await user.type(screen.getByLabelText("Day on which the private token was made"), "2026-04-01");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByRole("button", { name: "Set the date" });
  });

  it("asks to reconnect when the app's token was refused, in Spanish too", async () => {
    setLanguage("es");
    const lost = { at, reason: "refused" as const };
    server.use(replyTo(getCrmConnection, { ...none, app: { ...app, lost } }));
    renderPortal("/integrations", { ...admin, language: "es" });
    expect(await screen.findByRole("button", { name: "Conectar de nuevo" })).toBeTruthy();
    expect(screen.getByText(/Lo que espera se conserva/)).toBeTruthy();
  });

  it("reports that the app's token is not renewed, and which credential is used meanwhile", async () => {
    const ended = { ...app, unrenewed: "app-refused" as const };
    server.use(replyTo(getCrmConnection, { ...none, app: ended }));
    const { unmount } = renderPortal("/integrations", admin);
    expect(await screen.findByText(/Correct GHL_CLIENT_ID .* once it is renewed/)).toBeTruthy();
    expect(screen.queryByText(/Connected with/)).toBeNull();
    unmount();
    server.use(replyTo(getCrmConnection, { ...none, way: "app", app: ended }));
    renderPortal("/integrations", admin);
    expect(await screen.findByText(/Connected with Sandbox Sales/)).toBeTruthy();
    expect(screen.queryByText(/once it is renewed/)).toBeNull();
  });

  it("reports the result of an installation", async () => {
    server.use(replyTo(getCrmConnection, none));
    renderPortal("/integrations?crm=several", admin);
    expect(await screen.findByText(/installed for several locations/)).toBeTruthy();
  });

  it("asks to confirm an installation started in GHL by its location's name", async () => {
    server.use(
      replyTo(getCrmConnection, none),
      replyTo(readCrmInstall, {
        result: "found",
        location: { id: "loc1", name: "Sandbox Sales" },
        held: "sealed",
      }),
      replyTo(confirmCrmInstall, { ...none, way: "app", app }),
    );
    const { user } = renderPortal("/integrations?crmInstall=code-1", admin);
    expect(await screen.findByRole("alertdialog", { name: "Connect with Sandbox Sales?" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Connect" }));
    expect(await screen.findByText("GHL is connected")).toBeTruthy();
  });
});
