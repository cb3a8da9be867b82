import { extractAllRecordings, getSyncRun, syncLeads } from "@portal/contract/routes/crm";
import { createSampleData, getDashboardStats, listLeads } from "@portal/contract/routes/leads";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { buildUser } from "../../testing/builders.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";

/** Records the queries that the page sends for the lead list. */
function watchLeadQueries(leads = [buildLead()]): URLSearchParams[] {
  const seen: URLSearchParams[] = [];
  server.use(
    replyTo(listLeads, ({ request }) => {
      seen.push(new URL(request.url).searchParams);
      return leads;
    }),
  );
  return seen;
}

describe("My Assigned Leads", () => {
  it("shows six gray placeholder cards, then the tiles and the leads", async () => {
    const leads = [buildLead(), buildLead({ id: 8, name: "Óscar Peña", email: null, phone: null })];
    serveLeadsPage({ leads });
    // The leads are requested before the page renders.
    const answer = Promise.withResolvers<typeof leads>();
    server.use(replyTo(listLeads, () => answer.promise));
    renderPortal("/");
    expect(await screen.findByRole("heading", { level: 1, name: "My Assigned Leads" })).toBeTruthy();
    expect(screen.getAllByTestId("lead-skeleton")).toHaveLength(6);
    answer.resolve(leads);
    expect(await screen.findByRole("article", { name: "Inés Duarte" })).toBeTruthy();
    expect(screen.queryByTestId("lead-skeleton")).toBeNull();
    await waitFor(() => expect(screen.getByText("Total Leads").closest("div")?.textContent).toContain("41"));
    expect(screen.getByText("Contacted Today").closest("div")?.textContent).toContain("5");
    expect(screen.getByText("Fechas de Seguimiento").closest("div")?.textContent).toContain("3");
    const card = within(screen.getByRole("article", { name: "Inés Duarte" }));
    expect(card.getByText("Solar del Este")).toBeTruthy();
    expect(card.getByText("(787) 555-0107")).toBeTruthy();
    expect(card.getByText("New")).toBeTruthy();
    expect(card.getByText("High")).toBeTruthy();
    expect(card.queryByRole("group", { name: /AI recording/ })).toBeNull();
  });

  it("shows an administrator the leads of everyone, with a title that says so", async () => {
    serveLeadsPage({ leads: [buildLead()] });
    renderPortal("/", buildUser({ id: 1, role: "admin" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Everyone's Leads" })).toBeTruthy();
    expect(screen.queryByText(/assigned leads/i)).toBeNull();
  });

  it("requests fifty leads, and the next page by its cursor", async () => {
    serveLeadsPage();
    const cursors: (string | null)[] = [];
    server.use(
      replyTo(
        listLeads,
        ({ request }) => {
          const query = new URL(request.url).searchParams;
          cursors.push(query.get("cursor"));
          if (cursors.length === 1) expect(query.get("limit")).toBe("50");
          return [buildLead({ id: cursors.length, name: `Lead ${cursors.length}` })];
        },
        { "x-total-count": "1000+", "x-next-cursor": "c1" },
      ),
    );
    const { user } = renderPortal("/");
    expect(await screen.findByText("1,000+ leads")).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Load more leads" }));
    expect(await screen.findByRole("article", { name: "Lead 2" })).toBeTruthy();
    expect(cursors).toEqual([null, "c1"]);
  });

  it("offers Retry when the leads fail to load", async () => {
    serveLeadsPage();
    server.use(refuse(listLeads, "unavailable", "The database does not answer"));
    const { user } = renderPortal("/");
    expect(await screen.findByText("Error Loading Leads")).toBeTruthy();
    expect(screen.getByText("The database does not answer")).toBeTruthy();
    serveLeadsPage();
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("article", { name: "Inés Duarte" })).toBeTruthy();
  });

  it("stays usable when only the figures fail to load", async () => {
    serveLeadsPage();
    server.use(refuse(getDashboardStats, "unavailable", "The database does not answer"));
    renderPortal("/");
    expect(await screen.findByRole("article", { name: "Inés Duarte" })).toBeTruthy();
    expect(screen.getAllByText("Figures not available")).toHaveLength(3);
  });

  it("marks an overdue follow-up", async () => {
    serveLeadsPage({ leads: [buildLead({ nextFollowUpDate: "2020-01-05T12:00:00.000Z" })] });
    renderPortal("/");
    expect(await screen.findByText("Follow-up overdue since Jan 5, 2020")).toBeTruthy();
  });

  // Regression: a lead that was called three times only showed 'Not contacted yet'.
  it("shows how a lead was last tried, beside the recorded text, and updates it as time passes", async () => {
    const tried = { attempts: 2, lastAttemptOutcome: "busy" as const };
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    serveLeadsPage({
      leads: [
        buildLead({ ...tried, lastAttemptAt: ago(4) }),
        buildLead({ id: 8, name: "Óscar Peña", ...tried, lastAttemptAt: ago(61), lastContactedAt: ago(180) }),
        buildLead({ id: 9, name: "Nora Gil" }),
      ],
    });
    renderPortal("/");
    const card = async (name: string) => within(await screen.findByRole("article", { name }));
    const busy = await card("Inés Duarte");
    expect(busy.getByText("Busy · 4 minutes ago · 2nd try")).toBeTruthy();
    expect(busy.queryByText("Not contacted yet")).toBeNull();
    const reached = await card("Óscar Peña");
    expect(reached.getByText("Busy · 1 hour ago · 2nd try")).toBeTruthy();
    expect(reached.getByText("Last contact 3 hours ago")).toBeTruthy();
    expect((await card("Nora Gil")).getByText("Not contacted yet")).toBeTruthy();
    const now = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
    expect(await busy.findByText("Busy · 5 minutes ago · 2nd try")).toBeTruthy();
    clock.mockRestore();
  });

  it("shows notes as plain text, whatever they contain", async () => {
    serveLeadsPage({ leads: [buildLead({ notes: "<b>call</b> after 5" })] });
    renderPortal("/");
    expect(await screen.findByText("<b>call</b> after 5")).toBeTruthy();
  });

  it("is fully translated into Spanish", async () => {
    setLanguage("es");
    serveLeadsPage();
    renderPortal("/");
    expect(await screen.findByRole("heading", { level: 1, name: "Mis prospectos asignados" })).toBeTruthy();
    expect(await screen.findByRole("button", { name: "Llamar ahora Inés Duarte" })).toBeTruthy();
  });
});

describe("the empty leads page", () => {
  function setDemoMode(content: string) {
    const meta = document.createElement("meta");
    meta.name = "demo-mode";
    meta.content = content;
    document.head.replaceChildren(meta);
  }

  it("offers test leads and a sync", async () => {
    setDemoMode("true");
    serveLeadsPage({ leads: [] });
    const { user } = renderPortal("/");
    expect(await screen.findByText("No leads found")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Sync Leads from GHL" })).toBeTruthy();
    server.use(refuse(createSampleData, "internal", "Something went wrong"));
    await user.click(screen.getByRole("button", { name: "Add Test Leads" }));
    expect(await screen.findByText("Failed to create sample data.")).toBeTruthy();
  });

  it("offers no test leads in production", async () => {
    setDemoMode("false");
    serveLeadsPage({ leads: [] });
    renderPortal("/");
    expect(await screen.findByText("No leads found")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Add Test Leads" })).toBeNull();
  });

  it("offers no test leads while a filter is active", async () => {
    setDemoMode("true");
    serveLeadsPage({ leads: [] });
    renderPortal("/?status=interested");
    expect(await screen.findByText("No leads found")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Add Test Leads" })).toBeNull();
    expect(screen.getByRole("button", { name: "Sync Leads from GHL" })).toBeTruthy();
  });
});

describe("the filters of the leads page", () => {
  it("are read from the address and sent to the server", async () => {
    serveLeadsPage();
    const seen = watchLeadQueries();
    renderPortal("/?search=maria&status=interested&priority=low");
    await screen.findByRole("article");
    expect(seen.at(-1)?.toString()).toBe("limit=50&search=maria&status=interested&priority=low");
    expect((screen.getByRole("searchbox", { name: "Search leads" }) as HTMLInputElement).value).toBe("maria");
    expect(screen.getByRole("combobox", { name: "Filter by status" }).textContent).toContain("Interested");
    expect(screen.getByRole("combobox", { name: "Filter by priority" }).textContent).toContain("Low");
  });

  it("update the address when typed and picked, and Clear Filters resets it", async () => {
    serveLeadsPage();
    const seen = watchLeadQueries();
    const { user } = renderPortal("/");
    await screen.findByRole("article");
    expect(screen.queryByRole("button", { name: "Clear Filters" })).toBeNull();
    await user.type(screen.getByRole("searchbox"), "ana");
    await waitFor(() => expect(window.location.search).toBe("?search=ana"));
    await user.click(screen.getByRole("combobox", { name: "Filter by status" }));
    await user.click(await screen.findByRole("option", { name: "Not Interested" }));
    await waitFor(() => expect(window.location.search).toBe("?search=ana&status=not_interested"));
    await waitFor(() => expect(seen.at(-1)?.get("status")).toBe("not_interested"));
    await user.click(screen.getByRole("button", { name: "Clear Filters" }));
    await waitFor(() => expect(window.location.search).toBe(""));
    expect((screen.getByRole("searchbox") as HTMLInputElement).value).toBe("");
    expect(screen.queryByRole("button", { name: "Clear Filters" })).toBeNull();
  });

  it("follow the Back button", async () => {
    serveLeadsPage();
    const { user } = renderPortal("/?status=new");
    await screen.findByRole("article");
    await user.click(screen.getByRole("combobox", { name: "Filter by status" }));
    await user.click(await screen.findByRole("option", { name: "Contacted" }));
    await waitFor(() => expect(window.location.search).toBe("?status=contacted"));
    window.history.back();
    await waitFor(() =>
      expect(screen.getByRole("combobox", { name: "Filter by status" }).textContent).toContain("New"),
    );
  });
});

describe("Sync Leads", () => {
  const syncButton = () => screen.getByRole("button", { name: "Sync Leads" });
  const disabled = (button: HTMLElement) => button.getAttribute("aria-disabled") === "true";
  const result = {
    message: "12 leads synced",
    synced: 12,
    errors: [],
    running: false,
    runId: 4,
    fault: null,
  };

  it("syncs the leads, then the recordings, and reports both", async () => {
    serveLeadsPage();
    const leads = Promise.withResolvers<void>();
    const recordings = Promise.withResolvers<void>();
    server.use(
      http.post(syncLeads.path, async () => {
        await leads.promise;
        return HttpResponse.json(result);
      }),
      http.post(extractAllRecordings.path, async () => {
        await recordings.promise;
        return HttpResponse.json({ message: "2 recordings", extractedCount: 2 });
      }),
    );
    const { user } = renderPortal("/");
    await screen.findByRole("article");
    await user.click(syncButton());
    expect(disabled(await screen.findByRole("button", { name: "Syncing leads…" }))).toBe(true);
    leads.resolve();
    expect(disabled(await screen.findByRole("button", { name: "Syncing recordings…" }))).toBe(true);
    expect(screen.getByText("Sync Complete")).toBeTruthy();
    expect(screen.getByText("12 leads synced")).toBeTruthy();
    recordings.resolve();
    expect(disabled(await screen.findByRole("button", { name: "Sync Leads" }))).toBe(false);
  });

  it("reports the end of a sync in Spanish when Spanish is chosen", async () => {
    setLanguage("es");
    serveLeadsPage();
    server.use(
      replyTo(syncLeads, { ...result, message: "Synced 12 leads from Go High Level", synced: 12 }),
      replyTo(extractAllRecordings, { message: "Extracted 0 recordings", extractedCount: 0 }),
    );
    const { user } = renderPortal("/");
    await screen.findByRole("article");
    await user.click(screen.getByRole("button", { name: "Sincronizar" }));
    expect(await screen.findByText("12 prospectos de todos los consultores sincronizados.")).toBeTruthy();
    expect(screen.queryByText(/Go High Level/)).toBeNull();
  });

  it("warns about leads with issues and lists them", async () => {
    serveLeadsPage();
    server.use(
      replyTo(syncLeads, { ...result, errors: ["Contact A has no name", "Contact B has no name"] }),
      replyTo(extractAllRecordings, { message: "", extractedCount: 0 }),
    );
    const { user } = renderPortal("/");
    await screen.findByRole("article");
    await user.click(syncButton());
    expect(await screen.findByText("Sync Issues")).toBeTruthy();
    // The toast and the list, which is loaded late.
    expect(await screen.findByText("Contact B has no name")).toBeTruthy();
    expect(screen.getAllByText("2 leads had sync issues")).toHaveLength(2);
  });

  it("shows the server's reason when the sync fails", async () => {
    serveLeadsPage();
    server.use(refuse(syncLeads, "provider_unavailable", "GoHighLevel does not answer"));
    const { user } = renderPortal("/");
    await screen.findByRole("article");
    await user.click(syncButton());
    expect(await screen.findByText("Sync Failed")).toBeTruthy();
    expect(screen.getByText("GoHighLevel does not answer")).toBeTruthy();
    expect(disabled(syncButton())).toBe(false);
  });

  it("shows the recorded text when the server is unreachable", async () => {
    serveLeadsPage();
    server.use(replyTo(syncLeads, () => Response.error()));
    const { user } = renderPortal("/");
    await screen.findByRole("article");
    await user.click(syncButton());
    expect(await screen.findByText("Failed to sync leads from GHL")).toBeTruthy();
  });

  it("follows a run that outlasts its request to its end", async () => {
    serveLeadsPage();
    server.use(
      replyTo(syncLeads, { ...result, message: "3 leads so far", running: true }),
      replyTo(getSyncRun, { ...result, message: "812 leads synced", synced: 812, failed: false }),
      replyTo(extractAllRecordings, { message: "", extractedCount: 0 }),
    );
    const { user } = renderPortal("/");
    await screen.findByRole("article");
    await user.click(syncButton());
    expect(await screen.findByText("812 leads synced")).toBeTruthy();
    expect(disabled(await screen.findByRole("button", { name: "Sync Leads" }))).toBe(false);
  });

  it("reports a run that fails after its request ended", async () => {
    serveLeadsPage();
    server.use(
      replyTo(syncLeads, { ...result, message: "3 leads so far", running: true }),
      replyTo(getSyncRun, {
        ...result,
        message: "GoHighLevel refused the key",
        fault: { code: "key_refused", status: 401 },
        failed: true,
      }),
    );
    const { user } = renderPortal("/");
    await screen.findByRole("article");
    await user.click(syncButton());
    expect(await screen.findByText("GoHighLevel refused the key")).toBeTruthy();
  });
});

describe("Select leads", () => {
  it("shows a checkbox on each card, counts the selection, and hides the checkboxes again", async () => {
    serveLeadsPage({ leads: [buildLead(), buildLead({ id: 8, name: "Óscar Peña" })] });
    const { user } = renderPortal("/");
    await user.click(await screen.findByRole("button", { name: "Select leads" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Óscar Peña" }));
    expect(await screen.findByText("1 selected")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Select all shown" }));
    expect(screen.getByText("2 selected")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("checkbox")).toBeNull();
  });
});
