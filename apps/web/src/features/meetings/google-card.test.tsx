import type { GoogleStatus } from "@portal/contract/entities/meeting";
import { disconnectGoogle, getGoogleAuth, getGoogleStatus } from "@portal/contract/routes/meetings";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { page } from "../../lib/navigation.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";

beforeAll(async () => {
  await import("./calendar-page.tsx");
});
afterEach(() => window.history.replaceState(null, "", "/"));

const serve = (status: Partial<GoogleStatus>) =>
  server.use(
    replyTo(getGoogleStatus, {
      connected: status.state === "connected",
      state: "never_connected",
      email: null,
      lastSyncedAt: null,
      pending: 0,
      waitsFor: null,
      ...status,
    }),
  );

describe("the Google card", () => {
  it("explains that meetings work without Google", async () => {
    renderPortal("/calendar");
    await screen.findByText(/is not set up here.*work all the same/);
    expect(screen.queryByRole("button", { name: /Connect/ })).toBeNull();
  });

  it("opens the consent page, and shows a failure with the recorded title", async () => {
    const go = vi.spyOn(page, "go").mockImplementation(() => undefined);
    serve({});
    server.use(refuse(getGoogleAuth, "provider_off", "Google Calendar is not set up here."));
    const { user } = renderPortal("/calendar");
    const connect = await screen.findByRole("button", { name: "Connect Google Calendar" });
    await user.click(connect);
    await screen.findByText("Connection Failed");
    server.use(replyTo(getGoogleAuth, { authUrl: "https://accounts.example.com/auth?state=x" }));
    await user.click(connect);
    await waitFor(() => expect(go).toHaveBeenCalledWith("https://accounts.example.com/auth?state=x"));
    go.mockRestore();
  });

  it("shows the result of a consent once, by the redirect's parameter", async () => {
    serve({});
    renderPortal("/calendar?google=signed-out");
    await screen.findByText(/signed out before Google answered/);
    screen.getByText("Connection Failed");
    expect(window.location.search).toBe("");
  });

  it("asks before it disconnects, and shows a failure with the recorded title", async () => {
    serve({ state: "connected", email: "ana@example.com", pending: 2 });
    server.use(refuse(disconnectGoogle, "internal", "Something went wrong."));
    const { user } = renderPortal("/calendar");
    await screen.findByText("Connected as ana@example.com");
    screen.getByText("2 changes wait to go to Google");
    await user.click(screen.getByRole("button", { name: "Disconnect" }));
    await screen.findByText("Disconnect Google Calendar?");
    await user.click(screen.getByRole("button", { name: "Disconnect" }));
    await screen.findByText("Disconnection Failed");
  });

  it("explains that an administrator has to enable the Calendar API, and counts the waiting changes", async () => {
    serve({ state: "connected", email: "ana@example.com", pending: 2, waitsFor: "api_off" });
    renderPortal("/calendar");
    await screen.findByText(/Calendar API is not switched on for the portal/);
    screen.getByText("2 changes wait to go to Google");
  });

  it("reports that the connection ended and offers to reconnect", async () => {
    serve({ state: "disconnected", email: "ana@example.com", pending: 1 });
    renderPortal("/calendar");
    await screen.findByText(/no longer accepts the connection/);
    screen.getByRole("button", { name: "Connect again" });
  });
});
