import type { CurrentUser } from "@portal/contract/entities/user";
import { adminSessionCheck, getCurrentUser } from "@portal/contract/routes/auth";
import { getLiveCall, listCallLogs } from "@portal/contract/routes/calls";
import {
  getCrmOutbox,
  getCrmStatus,
  getHeldDeletions,
  listCrmRejects,
  listSyncRuns,
} from "@portal/contract/routes/crm";
import { getCrmConnection } from "@portal/contract/routes/crm-connection";
import { previewDialer } from "@portal/contract/routes/dialer";
import { getDashboardStats, listLeads } from "@portal/contract/routes/leads";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "../lib/navigation.ts";
import { STORAGE_KEYS } from "../lib/storage-keys.ts";
import { servePanel } from "../testing/admin-server.ts";
import { buildUser } from "../testing/builders.ts";
import { serveClients } from "../testing/clients-server.ts";
import { serveCallHistory } from "../testing/history-server.ts";
import { serveAllLeads } from "../testing/leads-server.ts";
import { renderApp } from "../testing/render.tsx";
import { refuse, replyTo, server } from "../testing/server.ts";
import { AuthGuard } from "./auth-guard.tsx";

/** An event stream without events. */
class SilentStream extends EventTarget {
  close() {}
}

beforeAll(() => vi.stubGlobal("EventSource", SilentStream));
afterAll(() => vi.unstubAllGlobals());

function visit(path: string, currentUser: CurrentUser | null = buildUser()) {
  window.history.replaceState(null, "", path);
  return renderApp(<AuthGuard />, { currentUser });
}

/** Empty responses for the requests of the leads page. */
function emptyDashboard() {
  const none = { totalLeads: 0, contactedToday: 0, pendingFollowUp: 0, newLeads: 0, contactedLeads: 0 };
  return [
    replyTo(listLeads, []),
    replyTo(listCallLogs, []),
    replyTo(getLiveCall, { call: null }),
    replyTo(getDashboardStats, { ...none, interestedLeads: 0, notInterestedLeads: 0, needsOutcome: 0 }),
  ];
}

/** Empty responses for the requests of the integrations overview, whose code may load before a test of the shell ends. */
function emptyCrm() {
  return [
    replyTo(getCrmStatus, { connected: false, message: "", usersCount: 0 }),
    replyTo(listSyncRuns, []),
    replyTo(getCrmOutbox, { pending: 0, failed: 0, sentToday: 0, oldestPendingAt: null, failures: [] }),
    replyTo(listCrmRejects, []),
    replyTo(getHeldDeletions, { held: null }),
    replyTo(getCrmConnection, {
      way: "none",
      appConfigured: false,
      app: null,
      installedAt: null,
      privateToken: null,
      lastEventAt: null,
      noEvents: false,
    }),
  ];
}

const admin = buildUser({ id: 1, name: "Carmen Ortiz", email: "admin@portal.test", role: "admin" });

describe("routes", () => {
  it.each([
    { path: "/integrations", heading: "Integrations" },
    { path: "/calendar", heading: "Calendar" },
    { path: "/call-history", heading: "Call History" },
    { path: "/reports", heading: "Reports & Analytics" },
    { path: "/settings", heading: "Settings" },
    { path: "/all-leads", heading: "All Leads" },
    { path: "/analytics", heading: "Call Analytics" },
    { path: "/auto-dialer", heading: "Auto Dialer" },
    { path: "/contacts", heading: "Contact Lists" },
    { path: "/team-access", heading: "Team Access" },
    { path: "/nowhere", heading: "404 Page Not Found" },
    { path: "/reports/nowhere", heading: "404 Page Not Found" },
  ])("show '$heading' at $path", async ({ path, heading }) => {
    serveCallHistory();
    serveAllLeads();
    serveClients();
    server.use(replyTo(previewDialer, { total: 0, now: 0, nowLeads: [], groups: [] }), ...emptyCrm());
    visit(path);
    expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeDefined();
    await waitFor(() => expect(document.title).toBe(`${heading} · Lead Desk`));
  });

  it.each([
    { path: "/account", heading: "Account Settings", subtitle: "Account management and billing" },
    {
      path: "/integration-settings",
      heading: "Integration Settings",
      subtitle: "Configure system integrations",
    },
  ])("show the recorded placeholder at $path", async ({ path, heading, subtitle }) => {
    visit(path);
    expect(await screen.findByRole("heading", { name: heading })).toBeDefined();
    expect(screen.getByText(subtitle)).toBeDefined();
    expect(screen.getByText("This feature is coming soon")).toBeDefined();
  });

  it.each(["/", "/reports?x=1", "/admin", "/admin/login", "/nowhere"])(
    "show visitors the login screen at %s and keep the address",
    async (path) => {
      visit(path, null);
      expect(await screen.findByRole("button", { name: "Sign In" })).toBeDefined();
      expect(window.location.pathname + window.location.search).toBe(path);
    },
  );
});

describe("the app shell", () => {
  it("has the recorded items and marks the current one", async () => {
    visit("/reports");
    const nav = within(await screen.findByRole("navigation", { name: "Main navigation" }));
    expect(nav.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      // In a group of its own, above the recorded items.
      ["Today", "/today"],
      ["Inbox", "/inbox"],
      ["Dashboard", "/"],
      ["Call History", "/call-history"],
      ["Reports", "/reports"],
      ["Calendar", "/calendar"],
      ["Integrations", "/integrations"],
      ["All Leads", "/all-leads"],
      ["Analytics", "/analytics"],
      ["Contact Lists", "/contacts"],
      ["Settings", "/settings"],
    ]);
    expect(nav.getByRole("link", { name: "Reports" }).getAttribute("aria-current")).toBe("page");
  });

  it("expands the sidebar, and collapses it after a navigation, which focuses the page's heading", async () => {
    const { user } = visit("/reports");
    await user.click(await screen.findByRole("button", { name: "Expand sidebar" }));
    expect(screen.getByRole("button", { name: "Collapse sidebar" })).toBeDefined();
    await user.click(screen.getByRole("link", { name: "Calendar" }));
    const heading = await screen.findByRole("heading", { name: "Calendar" });
    expect(await screen.findByRole("button", { name: "Expand sidebar" })).toBeDefined();
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it("opens Account Settings from the avatar menu and returns the focus on close", async () => {
    const { user } = visit("/reports");
    const trigger = await screen.findByRole("button", { name: "AR · Ana Rivera · account menu" });
    expect(trigger.textContent).toBe("AR");
    await user.click(trigger);
    expect(await screen.findByText("ana@portal.test")).toBeDefined();
    await user.click(screen.getByRole("menuitem", { name: "Account Settings" }));
    expect(await screen.findByRole("dialog", { name: "Account Settings" })).toBeDefined();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(
        screen.getByRole("button", { name: "AR · Ana Rivera · account menu" }),
      ),
    );
  });

  it("signs out: clears both storage entries and navigates to the server's sign-out", async () => {
    const go = vi.spyOn(page, "go").mockImplementation(() => undefined);
    const { user } = visit("/reports");
    localStorage.setItem(STORAGE_KEYS.loggedIn, "true");
    localStorage.setItem(STORAGE_KEYS.userEmail, "ana@portal.test");
    await user.click(await screen.findByRole("button", { name: /account menu/ }));
    await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
    expect(go).toHaveBeenCalledWith("/api/logout");
    expect(localStorage.getItem(STORAGE_KEYS.loggedIn)).toBeNull();
    expect(localStorage.getItem(STORAGE_KEYS.userEmail)).toBeNull();
  });
});

describe("the error page for an unreachable server", () => {
  it("is shown with a retry button", async () => {
    server.use(refuse(getCurrentUser, "unavailable", "starting"));
    const { user } = renderApp(<AuthGuard />, { currentUser: undefined });
    expect(await screen.findByRole("heading", { name: "The server cannot be reached" })).toBeDefined();
    server.use(refuse(getCurrentUser, "unauthenticated", "Please sign in"));
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("button", { name: "Sign In" })).toBeDefined();
  });

  it.each([
    ["an empty response", "", 200, "Empty response from server"],
    [
      "an HTML page",
      "<!doctype html><p>Sign in</p>",
      200,
      "Sesión expirada. Por favor recarga la página e inicia sesión nuevamente.",
    ],
    ["an error", '{"message":"Out of order","code":"internal"}', 500, "500: Out of order"],
  ])("differs from the one for %s, which shows the recorded text", async (_, body, status, words) => {
    server.use(http.get(getCurrentUser.path, () => new HttpResponse(body, { status })));
    renderApp(<AuthGuard />, { currentUser: undefined });
    expect(
      await screen.findByRole("heading", { name: "The server does not answer as it should" }),
    ).toBeDefined();
    expect(screen.getByText(words)).toBeDefined();
  });
});

describe("the admin panel", () => {
  beforeEach(() => {
    server.use(replyTo(adminSessionCheck, { authenticated: true, user: admin }));
    servePanel();
  });

  it("shows its heading and the signed-in user", async () => {
    visit("/admin", admin);
    expect(await screen.findByRole("heading", { name: "Panel de Administración" })).toBeDefined();
    expect(screen.getByText("Carmen Ortiz")).toBeDefined();
    expect(screen.getByText("admin@portal.test")).toBeDefined();
  });

  it("redirects a consultant to / without requesting an administrator's session", async () => {
    server.use(...emptyDashboard());
    visit("/admin");
    expect(await screen.findByRole("heading", { name: "My Assigned Leads" })).toBeDefined();
    expect(window.location.pathname).toBe("/");
  });

  it("stays open during a short server outage", async () => {
    visit("/admin", admin);
    await screen.findByRole("heading", { name: "Panel de Administración" });
    let checks = 0;
    server.use(
      http.get("/api/admin/session-check", () => {
        checks += 1;
        return HttpResponse.error();
      }),
    );
    window.dispatchEvent(new Event("focus"));
    await waitFor(() => expect(checks).toBe(1));
    expect(screen.getByRole("heading", { name: "Panel de Administración" })).toBeDefined();
  });

  it("redirects to / when the window regains focus and the administrator's session has ended", async () => {
    visit("/admin", admin);
    await screen.findByRole("heading", { name: "Panel de Administración" });
    server.use(...emptyDashboard(), refuse(adminSessionCheck, "forbidden", "Administrators only"));
    window.dispatchEvent(new Event("focus"));
    expect(await screen.findByRole("heading", { name: "Everyone's Leads" })).toBeDefined();
    expect(window.location.pathname).toBe("/");
  });

  it("signs out by 'Salir': ends the session, shows a toast and the login screen at /admin/login", async () => {
    let ended = 0;
    server.use(
      http.get("/api/logout", () => {
        ended += 1;
        return new HttpResponse(null, { status: 302, headers: { location: "/" } });
      }),
    );
    const { user } = visit("/admin", admin);
    await user.click(await screen.findByRole("button", { name: "Salir" }));
    expect(await screen.findByText("Sesión Cerrada")).toBeDefined();
    expect(await screen.findByRole("button", { name: "Sign In" })).toBeDefined();
    expect(window.location.pathname).toBe("/admin/login");
    expect(ended).toBe(1);
  });

  it.each(["/admin/login", "/login"])("opens for a signed-in administrator at %s", async (path) => {
    visit(path, admin);
    expect(await screen.findByRole("heading", { name: "Panel de Administración" })).toBeDefined();
    expect(window.location.pathname).toBe("/admin");
  });
});
