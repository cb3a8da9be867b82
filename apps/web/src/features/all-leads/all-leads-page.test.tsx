import type { BulkChange } from "@portal/contract/entities/bulk-change";
import type { Lead } from "@portal/contract/entities/lead";
import { exportLeads, getAllLeadsStats, listAllLeads } from "@portal/contract/routes/all-leads";
import { listSalesReps } from "@portal/contract/routes/assignment";
import { createBulkChange, getBulkChange, previewBulkChange } from "@portal/contract/routes/bulk-changes";
import { getLead } from "@portal/contract/routes/leads";
import { listSavedViews } from "@portal/contract/routes/saved-views";
import { getTimeline } from "@portal/contract/routes/timeline";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { startLiveEvents } from "../../lib/events.ts";
import { setLanguage } from "../../lib/i18n.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { buildUser } from "../../testing/builders.ts";
import { FakeEventSource, openedStream } from "../../testing/fake-event-source.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveAllLeads } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";

beforeEach(() => {
  // jsdom has no layout, so the list gets a width that fits the columns.
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 1_100, 40));
});

const reps = [{ id: 3, name: "Luis Mora", email: "luis@example.com" }];
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => buildLead({ id: index + 1, name: `Lead ${index + 1}` }));
const address = () => Object.fromEntries(new URLSearchParams(window.location.search));
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
const rowOf = async (name: string, options: { hidden?: boolean } = {}) =>
  within(
    (await screen.findByRole("link", { name: `Open ${name}`, ...options })).closest(
      "[role=row]",
    ) as HTMLElement,
  );

describe("All Leads", () => {
  it("shows the cards, the five newest leads and every recorded field of each lead", async () => {
    serveAllLeads([
      buildLead({
        id: 12,
        createdAt: new Date(Date.now() - 3 * 3_600_000).toISOString(),
        attempts: 3,
        lastAttemptAt: new Date(Date.now() - 4 * 60_000).toISOString(),
        lastAttemptOutcome: "busy",
      }),
      buildLead({
        id: 11,
        name: "Ramón Ibarra",
        company: null,
        email: null,
        assignedTo: null,
        assignedAt: null,
        salesRepName: null,
        status: "converted",
        priority: "low",
      }),
      ...people(6),
    ]);
    renderPortal("/all-leads");
    expect(await screen.findByRole("heading", { level: 1, name: "All Leads" })).toBeTruthy();
    expect(screen.getAllByRole("button", { name: "Sync Leads from GHL" })).toHaveLength(1);
    const card = async (name: string) =>
      (await screen.findByRole("link", { name })).closest("div")?.textContent;
    await waitFor(async () => expect(await card("Total Leads")).toBe("Total Leads1,204"));
    expect(await card("Assigned")).toBe("Assigned904");
    expect(await card("Unassigned")).toBe("Unassigned300");
    expect(await card("Converted")).toBe("Converted1");

    const recent = within(screen.getByRole("region", { name: "Recent Activity" }));
    await waitFor(() => expect(recent.getAllByRole("listitem")).toHaveLength(5));

    const heads = screen.getAllByRole("columnheader").slice(1);
    expect(heads.map(({ textContent }) => textContent)).toEqual([
      ...["Lead", "Contact", "Company", "Status", "Priority"],
      ...["Assigned To", "Created", "Assignment Date"],
    ]);
    const full = await rowOf("Inés Duarte");
    for (const text of ["ID: 12", "ines.duarte@example.com", "(787) 555-0107", "Solar del Este", "New"]) {
      expect(full.getByText(text)).toBeTruthy();
    }
    for (const text of [
      "High",
      "Ana Rivera",
      "3 hours ago",
      "Nov 1, 2026",
      "Busy · 4 minutes ago · 3rd try",
    ]) {
      expect(full.getByText(text)).toBeTruthy();
    }
    const bare = await rowOf("Ramón Ibarra");
    for (const text of ["No email", "N/A", "Converted", "Low", "Unassigned", "Not assigned"]) {
      expect(bare.getByText(text)).toBeTruthy();
    }
  });

  it("keeps filters and order in the address and in the request; Clear keeps the order", async () => {
    const asked = serveAllLeads(people(3));
    const { user } = renderPortal("/all-leads?status=converted");
    await screen.findByRole("link", { name: "Open Lead 1" });
    expect(screen.getByRole("combobox", { name: "Filter by status" }).textContent).toBe("Converted");
    await user.click(screen.getByRole("combobox", { name: "Filter by assignment" }));
    await user.click(await screen.findByRole("option", { name: "Unassigned" }));
    await user.click(screen.getByRole("searchbox"));
    await user.paste("(787) 555");
    await waitFor(() => expect(address().search).toBe("(787) 555"));

    const created = () => screen.getByRole("columnheader", { name: "Created" });
    expect(created().getAttribute("aria-sort")).toBe("descending");
    await user.click(within(created()).getByRole("button"));
    await waitFor(() => expect(created().getAttribute("aria-sort")).toBe("ascending"));
    await user.click(within(screen.getByRole("columnheader", { name: "Lead" })).getByRole("button"));
    await waitFor(() =>
      expect(address()).toEqual({
        status: "converted",
        assignment: "unassigned",
        search: "(787) 555",
        sort: "name",
      }),
    );
    expect(created().getAttribute("aria-sort")).toBe("none");
    await waitFor(() => expect(asked.at(-1)).toContain("sort=name"));
    expect(new URLSearchParams(asked.at(-1)).get("search")).toBe("(787) 555");
    await user.click(screen.getByRole("button", { name: "Clear Filters" }));
    await waitFor(() => expect(address()).toEqual({ sort: "name" }));
  });

  it.each(["admin", "consultant"] as const)(
    "shows Call and SMS in the list layout only to administrators: %s",
    async (role) => {
      const asked = serveAllLeads([buildLead({ id: 1, name: "Lead 1", unreadTexts: 2 })]);
      const isAdmin = role === "admin";
      renderPortal("/all-leads", buildUser({ role, lists: { "all-leads": { layout: "rows" } } }));
      const row = within(await screen.findByRole("row", { name: /Lead 1/ }));
      await waitFor(() => expect(asked.some((query) => query.includes("detail=work"))).toBe(isAdmin));
      expect(row.queryByRole("button", { name: "Call Now Lead 1" }) !== null).toBe(isAdmin);
      expect(row.queryByRole("button", { name: "Send SMS Lead 1" }) !== null).toBe(isAdmin);
      expect(screen.queryByRole("columnheader", { name: "Unread" }) !== null).toBe(isAdmin);
    },
  );

  it("says in its line of figures that they could not be loaded, and retries", async () => {
    serveAllLeads(people(1));
    server.use(refuse(getAllLeadsStats, "internal", "down"));
    const { user } = renderPortal(
      "/all-leads",
      buildUser({ role: "admin", lists: { "all-leads": { layout: "rows" } } }),
    );
    const line = within(await screen.findByRole("region", { name: "Figures" }));
    expect(await line.findByText("down")).toBeTruthy();
    serveAllLeads(people(1));
    await user.click(line.getByRole("button", { name: "Retry" }));
    expect(await line.findByRole("button", { name: /Total Leads/ })).toBeTruthy();
  });

  it("offers the recorded statuses, and removes a report's filters by their chips", async () => {
    const asked = serveAllLeads(people(1));
    server.use(replyTo(listSalesReps, reps));
    const { user } = renderPortal(
      "/all-leads?status=qualified&rep=3&sources=none&created=week&converted=month&called=no",
    );
    const chips = within(await screen.findByRole("list", { name: "More filters" }));
    expect(await chips.findByText("Consultant: Luis Mora")).toBeTruthy();
    expect(chips.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      ...["Status: Qualified", "Consultant: Luis Mora", "Without a source"],
      ...["Created in the last 7 days", "Converted in the last 30 days", "Never called"],
    ]);
    await waitFor(() =>
      expect(asked.at(-1)).toBe(
        "status=qualified&rep=3&sources=none&created=week&converted=month&called=no&limit=50",
      ),
    );
    await user.click(screen.getByRole("combobox", { name: "Filter by status" }));
    const options = (await screen.findAllByRole("option")).map(({ textContent }) => textContent);
    expect(options).toEqual([
      ...["All Statuses", "New", "Contacted", "Interested", "Not Interested", "Converted"],
    ]);
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Remove filter: Never called" }));
    await waitFor(() => expect(address().called).toBeUndefined());
  });

  it("shows 'Error Loading Leads' with a retry, and a hint when the list is empty", async () => {
    server.use(refuse(listAllLeads, "internal", "down"), refuse(getAllLeadsStats, "internal", "down"));
    const { user, unmount } = renderPortal("/all-leads");
    expect(await screen.findByText("Error Loading Leads")).toBeTruthy();
    expect(await screen.findByText("The newest leads could not be loaded.")).toBeTruthy();
    serveAllLeads([]);
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("No leads found")).toBeTruthy();
    expect(await screen.findByText("No lead has come in yet.")).toBeTruthy();
    expect(screen.getByText("Sync your contacts from GHL and they appear here.")).toBeTruthy();
    expect(screen.getAllByRole("button", { name: "Sync Leads from GHL" })).toHaveLength(2);
    unmount();
    renderPortal("/all-leads?priority=low");
    expect(
      await screen.findByText("No lead matches these filters. Clear them to see every lead."),
    ).toBeTruthy();
  });

  it("opens an own lead with card and history, and a colleague's lead with the shared fields", async () => {
    const theirs = buildLead({ id: 8, name: "Ramón Ibarra", assignedTo: 3, salesRepName: "Luis Mora" });
    server.use(
      replyTo(getLead, ({ params }) => (params.id === "8" ? theirs : buildLead({ status: "interested" }))),
      replyTo(getTimeline, []),
    );
    // The list's handler comes last, so that its path is not taken for a lead's id.
    serveAllLeads([buildLead({ id: 7 }), buildLead({ id: 8, name: "Ramón Ibarra", assignedTo: 3 })]);
    const { user } = renderPortal("/all-leads");
    const name = await screen.findByRole("link", { name: "Open Inés Duarte" });
    await user.click(name);
    const own = within(await screen.findByRole("dialog", { name: "Inés Duarte" }));
    expect(await own.findByRole("button", { name: /^Call Now/ })).toBeTruthy();
    expect(own.getByRole("heading", { name: "History" })).toBeTruthy();
    // The row also shows the change made meanwhile.
    const row = await rowOf("Inés Duarte", { hidden: true });
    expect(await row.findByText("Interested")).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(name));

    await user.click(screen.getByRole("link", { name: "Open Ramón Ibarra" }));
    const other = within(await screen.findByRole("dialog", { name: "Ramón Ibarra" }));
    expect(await other.findByText(/^Luis Mora has this lead/)).toBeTruthy();
    expect(other.queryByRole("button", { name: /^Call Now/ })).toBeNull();
  });

  it("copies the link of a view without the lead that is open", async () => {
    server.use(
      replyTo(getLead, buildLead({ id: 1, name: "Lead 1" })),
      replyTo(getTimeline, []),
      replyTo(listSavedViews, [
        { id: 4, page: "all-leads", name: "Hot", query: "priority=high", isForEverybody: false },
      ]),
    );
    serveAllLeads(people(1));
    const { user } = renderPortal("/leads/1?from=%2Fall-leads");
    await screen.findByRole("dialog", { name: "Lead 1" });
    await user.click(await screen.findByRole("button", { name: "Views" }));
    await user.click(await screen.findByRole("button", { name: "Copy link of Hot" }));
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/all-leads?priority=high`),
    );
  });

  it("keeps unsaved input about a lead that is reassigned to a colleague", async () => {
    let lead = buildLead();
    server.use(
      replyTo(getLead, () => lead),
      replyTo(getTimeline, []),
    );
    serveAllLeads([lead]);
    const { user, client } = renderPortal("/all-leads");
    await user.click(await screen.findByRole("link", { name: "Open Inés Duarte" }));
    const drawer = within(await screen.findByRole("dialog", { name: "Inés Duarte" }));
    await user.click(await drawer.findByRole("textbox", { name: "Notes" }));
    await user.paste("Roof is new");
    lead = buildLead({ assignedTo: 3, salesRepName: "Luis Mora" });
    await act(() => invalidatePaths(client, [`/api/leads/${lead.id}`]));
    await screen.findByText(/^Luis Mora has this lead/);
    expect(drawer.getByText("Roof is new")).toBeTruthy();
  });

  it("is fully translated into Spanish", async () => {
    setLanguage("es");
    serveAllLeads([]);
    renderPortal("/all-leads?called=yes");
    expect(await screen.findByRole("heading", { name: "Todos los prospectos" })).toBeTruthy();
    expect(
      await screen.findByText("Ningún prospecto coincide con estos filtros. Quítalos para ver todos."),
    ).toBeTruthy();
    expect(screen.getByText("Con alguna llamada")).toBeTruthy();
  });
});

describe("an event about a lead", () => {
  it("updates its row in place without reading a page, and reads the pages for a new lead", async () => {
    vi.stubGlobal("EventSource", FakeEventSource);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const [first, second] = [buildLead({ id: 7 }), buildLead({ id: 8, name: "Ramón Ibarra" })];
    const now = new Map<string, Lead>([["7", { ...first, status: "interested" }]]);
    server.use(replyTo(getLead, ({ params }) => now.get(String(params.id)) ?? first));
    const asked = serveAllLeads([first, second], "1204");
    const { client } = renderPortal("/all-leads");
    await screen.findByRole("link", { name: "Open Inés Duarte" });
    const stop = startLiveEvents(client);
    try {
      await vi.advanceTimersByTimeAsync(5_000);
      // Two seconds after the start everything is read once more.
      await vi.waitFor(() => expect(client.isFetching()).toBe(0));
      asked.length = 0;
      openedStream().send('{"topic":"lead","id":7}');
      const row = await rowOf("Inés Duarte");
      expect(await row.findByText("Interested")).toBeTruthy();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(asked).toEqual([]);

      const later = buildLead({ id: 9, name: "Nora Vidal", createdAt: "2999-01-01T00:00:00.000Z" });
      now.set("9", later);
      serveAllLeads([later, first, second], "1204");
      openedStream().send('{"topic":"lead","id":9}');
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await screen.findByRole("button", { name: /1 new lead/ })).toBeTruthy();

      // An import or a sync names no lead.
      serveAllLeads([{ ...later, id: 10, name: "Rosa Gil" }, later, first, second], "1205");
      openedStream().send('{"topic":"all-leads","id":0}');
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await screen.findByRole("button", { name: /2 new leads/ })).toBeTruthy();
    } finally {
      stop();
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  });
});

describe("the selection of leads", () => {
  it("selects one by one, a range, by keys, and up to 500 at once", async () => {
    const asked = serveAllLeads(people(12));
    const { user } = renderPortal("/all-leads");
    await screen.findByRole("link", { name: "Open Lead 1" });
    await user.click(box("Select Lead 2"));
    expect(screen.getByText("1 selected")).toBeTruthy();
    fireEvent.click(box("Select Lead 5"), { shiftKey: true });
    expect(screen.getByText("4 selected")).toBeTruthy();
    box("Select Lead 5").focus();
    await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
    expect(document.activeElement).toBe(box("Select Lead 6"));
    expect(screen.getByText("5 selected")).toBeTruthy();
    await user.keyboard(" ");
    expect(screen.getByText("4 selected")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Clear selection" }));
    expect(screen.getByText("12 leads")).toBeTruthy();
    await user.click(box("Select all"));
    expect(await screen.findByText("12 selected")).toBeTruthy();
    expect(box("Select all")).toMatchObject({ checked: true, indeterminate: false });
    expect(asked).toContain("limit=500");
  });

  it("is disabled on the previous filters' rows until the new ones arrive", async () => {
    serveAllLeads(people(6));
    const answer = Promise.withResolvers<Lead[]>();
    const { user } = renderPortal("/all-leads");
    await screen.findByRole("link", { name: "Open Lead 1" });
    server.use(replyTo(listAllLeads, () => answer.promise, { "x-total-count": "4" }));
    await user.click(within(screen.getByRole("columnheader", { name: "Created" })).getByRole("button"));
    await waitFor(() => expect(screen.getByRole("table").getAttribute("aria-busy")).toBe("true"));
    const boxes = () =>
      ["Select all", "Select Lead 2"].map((name) => box(name).getAttribute("aria-disabled"));
    expect(boxes()).toEqual(["true", "true"]);
    await user.click(box("Select Lead 2"));
    await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
    await user.click(box("Select all"));
    expect(screen.getByText("6 leads")).toBeTruthy();

    answer.resolve(people(4));
    expect(await screen.findByText("4 leads")).toBeTruthy();
    expect(boxes()).toEqual([null, null]);
    await user.click(box("Select Lead 1"));
    fireEvent.click(box("Select Lead 4"), { shiftKey: true });
    expect(screen.getByText("4 selected")).toBeTruthy();
  });

  it("ignores a response to Select all that arrives after the filters changed", async () => {
    serveAllLeads(people(6));
    const answer = Promise.withResolvers<Lead[]>();
    const { user } = renderPortal("/all-leads");
    await screen.findByRole("link", { name: "Open Lead 1" });
    server.use(
      replyTo(
        listAllLeads,
        ({ request }) => (request.url.includes("limit=500") ? answer.promise : people(2)),
        { "x-total-count": "2" },
      ),
    );
    await user.click(box("Select all"));
    await user.click(within(screen.getByRole("columnheader", { name: "Created" })).getByRole("button"));
    expect(await screen.findByText("2 leads")).toBeTruthy();
    answer.resolve(people(6));
    await waitFor(() => expect(box("Select all").getAttribute("aria-disabled")).toBeNull());
    expect(screen.getByText("2 leads")).toBeTruthy();
    await user.click(box("Select Lead 2"));
    expect(screen.getByText("1 selected")).toBeTruthy();
  });

  it("is assigned at once, names the leads left out, and can be undone", async () => {
    serveAllLeads(people(4));
    let sent: unknown;
    const change: BulkChange = {
      id: 9,
      kind: "assign",
      value: "Luis Mora",
      userName: "Ana",
      at: new Date().toISOString(),
      state: "open",
      waitsMs: 3_600_000,
      mayUndo: true,
      undoneAt: null,
      groups: [
        { state: "changed", reason: null, count: 2, leads: [] },
        { state: "left_out", reason: "not_yours", count: 1, leads: [{ id: 2, name: "Lead 2" }] },
      ],
    };
    server.use(
      replyTo(listSalesReps, reps),
      replyTo(previewBulkChange, {
        changed: 2,
        leftOut: [{ reason: "not_yours", count: 1, leads: [{ id: 2, name: "Lead 2" }] }],
        segments: null,
      }),
      replyTo(createBulkChange, ({ body }) => {
        sent = body;
        return change;
      }),
      replyTo(getBulkChange, change),
    );
    const { user } = renderPortal("/all-leads");
    await screen.findByRole("link", { name: "Open Lead 1" });
    for (const name of ["Select Lead 1", "Select Lead 2", "Select Lead 4"]) await user.click(box(name));
    await user.click(screen.getByRole("button", { name: "Assign" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Assign Leads" }));
    expect(dialog.getByText("3 leads selected")).toBeTruthy();
    const rep = dialog.getByRole<HTMLButtonElement>("combobox", { name: "Sales Representative" });
    await waitFor(() => expect(rep.disabled).toBe(false));
    await user.click(rep);
    await user.click(await screen.findByRole("option", { name: "Luis Mora" }));
    expect(await dialog.findByText("2 leads will change.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Assign" }));
    const bar = within(await screen.findByRole("region", { name: "Last change of many leads" }));
    expect(bar.getByText("2 leads given to Luis Mora.")).toBeTruthy();
    expect(bar.getByRole("button", { name: "Undo" })).toBeTruthy();
    expect(sent).toMatchObject({
      leadIds: [1, 2, 4],
      edit: { kind: "assign", salesRepId: 3, notes: null, takeAlong: true },
    });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(box("Select Lead 2").checked).toBe(false);
  });

  it("is exported alone, or else everything that matches the filters, with the recorded toasts", async () => {
    serveAllLeads(people(3));
    const asked: string[] = [];
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    URL.createObjectURL = () => "blob:leads";
    URL.revokeObjectURL = () => undefined;
    server.use(
      http.get(exportLeads.path, ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(searchParams.toString());
        if (searchParams.get("format") === "json")
          return HttpResponse.json({ message: "No room.", code: "internal" }, { status: 500 });
        return HttpResponse.text("ID\r\n1\r\n", { headers: { "x-total-count": "1" } });
      }),
    );
    const { user } = renderPortal("/all-leads?priority=high");
    await screen.findByRole("link", { name: "Open Lead 1" });
    await user.click(box("Select Lead 3"));
    await user.click(screen.getByRole("button", { name: "Export" }));
    await user.click(await screen.findByRole("menuitem", { name: "Export CSV" }));
    expect(await screen.findByText("Export Complete")).toBeTruthy();
    expect(screen.getByText("1 lead exported.")).toBeTruthy();
    expect(saved).toEqual(["leads.csv"]);
    await user.click(screen.getByRole("button", { name: "Clear selection" }));
    await user.click(screen.getByRole("button", { name: "Export" }));
    await user.click(await screen.findByRole("menuitem", { name: "Export JSON" }));
    expect(await screen.findByText("Export Failed")).toBeTruthy();
    expect(screen.getByText("No room.")).toBeTruthy();
    expect(asked).toEqual(["ids=3&format=csv", "priority=high&format=json"]);
    expect(saved).toEqual(["leads.csv"]);
  });
});
