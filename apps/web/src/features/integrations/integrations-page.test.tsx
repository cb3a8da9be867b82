import type { CrmOutbox, HeldDeletions, SyncRun } from "@portal/contract/entities/crm";
import { type SourceAccess, webhookSourceNames } from "@portal/contract/entities/lead-webhook";
import {
  decideDeletions,
  extractAllRecordings,
  getCrmOutbox,
  getCrmStatus,
  getHeldDeletions,
  listCrmRejects,
  listSyncRuns,
  retryCrmChanges,
  syncAll,
} from "@portal/contract/routes/crm";
import { getCrmConnection } from "@portal/contract/routes/crm-connection";
import { getApiDocument } from "@portal/contract/routes/integrations";
import { listWebhookSources } from "@portal/contract/routes/lead-webhooks";
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { buildUser } from "../../testing/builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";

const admin = buildUser({ role: "admin" });

const run: SyncRun = {
  id: 9,
  kind: "all",
  state: "done",
  requestedBy: { id: 2, name: "Ana Rivera" },
  startedAt: new Date().toISOString(),
  endedAt: new Date().toISOString(),
  synced: 126,
  created: 120,
  changed: 6,
  deleted: 1,
  errors: ["Contact A has no name"],
  message: "Synced 126 leads from Go High Level",
  fault: null,
};

const outbox: CrmOutbox = {
  pending: 2,
  failed: 1,
  sentToday: 40,
  oldestPendingAt: new Date(Date.now() - 180_000).toISOString(),
  failures: [
    {
      id: 31,
      leadId: 7,
      leadName: "Inés Duarte",
      field: "status",
      state: "failed",
      reason: "GoHighLevel refused the request (422).",
      attempts: 3,
      createdAt: new Date().toISOString(),
      sentAt: null,
    },
  ],
};

/** The requests of the overview; a test's own handlers come first. */
function serveOverview({ runs = [run] }: { runs?: SyncRun[] } = {}): void {
  server.use(
    replyTo(getCrmStatus, { connected: true, message: "Connected to GoHighLevel.", usersCount: 4 }),
    replyTo(getCrmConnection, {
      way: "private",
      appConfigured: false,
      app: null,
      installedAt: null,
      privateToken: null,
      lastEventAt: null,
      noEvents: false,
    }),
    replyTo(getHeldDeletions, { held: null }),
    replyTo(listSyncRuns, runs),
    replyTo(getCrmOutbox, outbox),
    replyTo(listCrmRejects, [{ id: 1, externalId: "abc", reason: "has no id", at: run.startedAt }]),
  );
}

function serveSources(access: SourceAccess): void {
  const source = (name: (typeof webhookSourceNames)[number]) => ({
    source: name,
    address: `https://portal.test/api/webhook/${name}`,
    access,
    key: null,
    hasClientSecret: false,
    organizationId: null,
    lastDelivery: null,
  });
  server.use(replyTo(listWebhookSources, webhookSourceNames.map(source)));
}

describe("Integrations", () => {
  it("announces automatic changes only after a first sync", async () => {
    const schedule = "What changed in GHL is taken in every 5 minutes.";
    serveOverview({ runs: [{ ...run, kind: "all", state: "running", endedAt: null }] });
    const { unmount } = renderPortal("/integrations");
    expect(await screen.findByRole("list", { name: "Last syncs" })).toBeTruthy();
    expect(screen.queryByText(schedule)).toBeNull();
    unmount();
    serveOverview({ runs: [{ ...run, kind: "all", state: "done" }] });
    renderPortal("/integrations");
    expect(await screen.findByText(schedule)).toBeTruthy();
  });

  it("shows the four tabs, the state of GHL, three integration methods and three steps", async () => {
    serveOverview();
    renderPortal("/integrations");
    expect(await screen.findByText("Connected")).toBeTruthy();
    expect(screen.getByText(/Connected to GoHighLevel. 4 users in GHL/)).toBeTruthy();
    expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([
      "Overview",
      "Data Import",
      "Webhooks",
      "API Docs",
    ]);
    const ways = within(screen.getByRole("region", { name: "Ways in" }));
    expect(ways.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/integrations?tab=import",
      "/integrations?tab=webhooks",
      "/integrations?tab=api",
    ]);
    expect(screen.getByRole("link", { name: "Open the dashboard" }).closest("ol")?.children).toHaveLength(3);
    expect(screen.getByRole("navigation", { name: "Main navigation" })).toBeTruthy();
  });

  it("offers Retry for each part that failed to load", async () => {
    serveOverview();
    server.use(...[getCrmStatus, listSyncRuns, getCrmOutbox].map((route) => refuse(route, "internal", "No")));
    const { user } = renderPortal("/integrations");
    await waitFor(() => expect(screen.getAllByRole("button", { name: "Retry" })).toHaveLength(3));
    serveOverview();
    for (const retry of screen.getAllByRole("button", { name: "Retry" })) await user.click(retry);
    expect(await screen.findByText("Connected")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("button", { name: "Retry" })).toBeNull());
  });

  it("explains to a consultant why Sync All is disabled", async () => {
    serveOverview();
    const { user } = renderPortal("/integrations");
    const button = await screen.findByRole("button", { name: "Sync All (Admin)" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await user.click(button);
    expect(screen.getByText("Only administrators can sync all contacts.")).toBeTruthy();
  });

  it("lets an administrator sync all, and warns about contacts with issues", async () => {
    serveOverview();
    server.use(
      replyTo(syncAll, {
        message: "Synced 2 leads from Go High Level",
        synced: 2,
        errors: ["A has no name", "B has no name"],
        running: false,
        fault: null,
        runId: 10,
      }),
      replyTo(extractAllRecordings, { message: "", extractedCount: 0 }),
    );
    const { user } = renderPortal("/integrations", admin);
    await user.click(await screen.findByRole("button", { name: "Sync All (Admin)" }));
    expect(await screen.findByText("Sync Issues")).toBeTruthy();
    expect(screen.getByText("2 contacts had sync issues")).toBeTruthy();
  });

  it("shows the recorded cards first and other cards below them", async () => {
    serveOverview();
    renderPortal("/integrations");
    const runs = await screen.findByRole("list", { name: "Last syncs" });
    const quickStart = screen.getByText("Quick start");
    expect(quickStart.compareDocumentPosition(runs)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("lists the last runs with their figures and errors, live ones too", async () => {
    const failed: SyncRun = {
      ...run,
      id: 8,
      kind: "changes",
      state: "failed",
      requestedBy: null,
      synced: 0,
      created: 0,
      changed: 0,
      deleted: 0,
      errors: [],
      message: "GoHighLevel refused the key (401). Nothing was taken in yet.",
      fault: { code: "key_refused", status: 401 } as const,
    };
    serveOverview({ runs: [{ ...run, id: 11, state: "running", endedAt: null, synced: 40 }, run, failed] });
    renderPortal("/integrations");
    const list = await screen.findByRole("list", { name: "Last syncs" });
    const [live, done, broken] = within(list)
      .getAllByRole("listitem")
      .filter(({ parentElement }) => parentElement === list);
    expect(live?.textContent).toContain("Running");
    expect(live?.textContent).toContain("40 contacts");
    expect(done?.textContent).toContain("126 contacts · 120 new · 6 changed · 1 gone from GHL");
    expect(done?.textContent).toContain("1 contact had sync issues");
    expect(done?.textContent).toContain("by Ana Rivera");
    expect(broken?.textContent).toContain("GoHighLevel refused the key (401).");
    expect(broken?.textContent).toContain("by schedule");
    act(() => setLanguage("es"));
    expect(broken?.textContent).toContain("GHL rechazó la clave (401).");
  });

  it("asks an administrator to decide about an implausible number of deletions, with the numbers", async () => {
    const held = {
      runId: 12,
      startedAt: "2026-11-22T07:00:00.000Z",
      leads: 50_000,
      missing: 12_000,
      asked: 1_040,
      deleted: 1_001,
      examples: ["Inés Duarte", "Óscar Peña"],
    };
    let waiting: HeldDeletions | null = held;
    const asked: unknown[] = [];
    serveOverview({
      runs: [{ ...run, state: "held", message: "Many contacts no longer exist in GoHighLevel." }],
    });
    server.use(
      replyTo(getHeldDeletions, () => ({ held: waiting })),
      replyTo(decideDeletions, ({ body, params }) => {
        asked.push([params.id, body]);
        waiting = null;
        return { message: "" };
      }),
    );
    const { user } = renderPortal("/integrations", admin);
    const region = await screen.findByRole("region", { name: "Were these contacts really deleted in GHL?" });
    expect(
      within(region)
        .getAllByRole("definition")
        .map(({ textContent }) => textContent),
    ).toEqual(["50,000", "12,000", "1,040", "1,001"]);
    expect(region.textContent).toContain("Among them: Inés Duarte, Óscar Peña");
    expect(within(region).getByRole("button", { name: "Mark them" })).toBeTruthy();
    expect((await screen.findByRole("list", { name: "Last syncs" })).textContent).toContain(
      "Waits for a decision",
    );
    await user.click(within(region).getByRole("button", { name: "Leave them" }));
    expect(await screen.findByText("The leads stay as they are")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("region", { name: /really deleted/ })).toBeNull());
    expect(asked).toEqual([["12", { decision: "leave" }]]);
  });

  it("does not ask a consultant for a decision", async () => {
    serveOverview();
    renderPortal("/integrations");
    expect(await screen.findByText("Connected")).toBeTruthy();
    expect(screen.queryByRole("region", { name: /really deleted/ })).toBeNull();
  });

  it("shows reasons in Spanish when Spanish is chosen", async () => {
    setLanguage("es");
    serveOverview();
    renderPortal("/integrations");
    expect(await screen.findByText("GHL rechazó la solicitud (422).")).toBeTruthy();
    expect(screen.queryByText(/GoHighLevel/)).toBeNull();
  });

  it("resends refused changes, one or all", async () => {
    serveOverview();
    const asked: unknown[] = [];
    server.use(
      replyTo(retryCrmChanges, ({ body }) => {
        asked.push(body);
        return { message: "", retried: 1 };
      }),
    );
    const { user } = renderPortal("/integrations");
    await user.click(await screen.findByRole("button", { name: "Retry: Status of Inés Duarte" }));
    expect(await screen.findByText("1 change is on its way to GHL.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Retry all" }));
    await waitFor(() => expect(asked).toEqual([{ id: 31 }, {}]));
    expect(screen.getByText("1 record from GHL could not be taken in")).toBeTruthy();
  });
});

describe("API Docs", () => {
  const fields = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const content = { "application/json": { schema: fields } };
  const document = {
    openapi: "3.0.3",
    servers: [{ url: "https://portal.test" }],
    paths: {
      "/api/leads": {
        get: {
          summary: "Leads assigned to the signed-in consultant",
          tags: ["leads"],
          security: [{ session: [] }],
          parameters: [{ name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 500 } }],
          responses: { "200": { content } },
        },
      },
      "/api/import/lead": {
        post: {
          summary: "Import one lead",
          tags: ["import"],
          security: [{ key: [] }],
          requestBody: { content },
          responses: { "200": { content } },
        },
      },
    },
  };

  it("shows the recorded sentence while no source requires a key, and finds an endpoint with its example", async () => {
    serveSources("open");
    server.use(replyTo(getApiDocument, document));
    const { user } = renderPortal("/integrations?tab=api");
    expect(await screen.findByText("The API is currently open without authentication.")).toBeTruthy();
    expect(await screen.findByText("2 endpoints")).toBeTruthy();
    await user.type(screen.getByRole("searchbox", { name: "Search endpoints" }), "import");
    expect(await screen.findByText("1 endpoint")).toBeTruthy();
    await user.click(screen.getByText("/api/import/lead"));
    expect(await screen.findByText(/curl -X POST 'https:\/\/portal.test\/api\/import\/lead'/)).toBeTruthy();
    expect(screen.queryByText(/X-Api-Key: <key>/)).toBeNull();
  });

  it("explains how to authenticate once a source has a key", async () => {
    setLanguage("es");
    serveSources("keyed");
    server.use(replyTo(getApiDocument, document));
    const { user } = renderPortal("/integrations?tab=api");
    expect(await screen.findByRole("heading", { name: "Autenticación" })).toBeTruthy();
    expect(await screen.findByText("Importar un prospecto (registro de forma libre)")).toBeTruthy();
    expect(screen.queryByText(/abierta actualmente/)).toBeNull();
    expect(screen.getAllByText("pide clave")).toHaveLength(webhookSourceNames.length);
    await user.click(await screen.findByText("/api/import/lead"));
    expect(await screen.findByText(/X-Api-Key: <key>/)).toBeTruthy();
  });
});
