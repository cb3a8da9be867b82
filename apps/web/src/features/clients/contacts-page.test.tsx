import { listSalesReps } from "@portal/contract/routes/assignment";
import { makeCall } from "@portal/contract/routes/calls";
import { exportClients, getClientStats, listClients } from "@portal/contract/routes/clients";
import { getLead } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { buildUser } from "../../testing/builders.ts";
import { buildClient, serveClients } from "../../testing/clients-server.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, refuse, replyTo, server } from "../../testing/server.ts";
import { parseContactsSearch } from "./contacts-search.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() =>
  Promise.all([import("../leads/panel/lead-panel-dock.tsx"), import("../telephony/call/call-dialog.tsx")]),
);

beforeEach(() => {
  // jsdom has no layout, so the list gets a width that fits the columns.
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 1_100, 40));
});

const address = () => Object.fromEntries(new URLSearchParams(window.location.search));
const rowOf = async (name: string) =>
  within((await screen.findByRole("button", { name: `Open ${name}` })).closest("[role=row]") as HTMLElement);

describe("Contact Lists", () => {
  it("says in its line of figures that they could not be loaded, and retries", async () => {
    serveClients([buildClient()]);
    server.use(refuse(getClientStats, "internal", "down"));
    const { user } = renderPortal("/contacts", buildUser({ lists: { contacts: { layout: "rows" } } }));
    const line = within(await screen.findByRole("region", { name: "Figures" }));
    expect(await line.findByText("down")).toBeTruthy();
    serveClients([buildClient()]);
    await user.click(line.getByRole("button", { name: "Retry" }));
    expect(await line.findByRole("button", { name: /Total Clients/ })).toBeTruthy();
  });

  it("shows the figures with their links, the five latest clients and every recorded field of each client", async () => {
    serveClients([
      buildClient({
        attempts: 2,
        lastAttemptAt: new Date(Date.now() - 4 * 60_000).toISOString(),
        lastAttemptOutcome: "busy",
      }),
      buildClient({
        id: 4,
        leadId: 8,
        name: "Ramón Ibarra",
        email: null,
        phone: null,
        priority: "low",
        originalSource: null,
        conversionValue: 0,
        salesRepName: null,
        totalCalls: 0,
        lastContactDate: null,
      }),
      ...[5_000, 4_999.99, 1_000, 999.99].map((conversionValue, index) =>
        buildClient({ id: 10 + index, name: `Client ${index}`, conversionValue }),
      ),
    ]);
    renderPortal("/contacts");
    expect(await screen.findByRole("heading", { level: 1, name: "Contact Lists" })).toBeTruthy();
    const card = (name: string) => screen.getByRole("link", { name }).closest("div")?.textContent;
    await screen.findByText("1,204");
    expect(card("Total Clients")).toBe("Total Clients1,204");
    expect(card("Total Value")).toBe("Total Value$250,000");
    expect(card("Average Value")).toBe("Average Value$207.64");
    expect(card("Conversion Rate")).toBe("Conversion Rate12.3%");
    const month = screen.getByRole("link", { name: "This Month" });
    expect(month.closest("div")?.textContent).toBe("This Month31");
    expect(month.getAttribute("href")).toBe("/contacts?day=2026-11-01&until=2026-11-30");

    const recent = within(screen.getByRole("region", { name: "Recent Conversions" }));
    await waitFor(() => expect(recent.getAllByRole("listitem")).toHaveLength(5));

    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      ...["Name", "Contact", "Converted", "Value"],
      ...["Sales Rep", "Total Calls", "Last Contact", "Actions"],
    ]);
    expect(screen.getByText("6 clients")).toBeTruthy();
    const full = await rowOf("Inés Duarte");
    for (const text of ["Inés Duarte", "High", "ines.duarte@example.com", "(787) 555-0107", "Nov 10, 2026"])
      expect(full.getByText(text)).toBeTruthy();
    for (const text of [
      "Feria de energía",
      "$1,250.50",
      "Ana Rivera",
      "4",
      "3 hours ago",
      "Busy · 4 minutes ago · 2nd try",
    ])
      expect(full.getByText(text)).toBeTruthy();
    const bare = await rowOf("Ramón Ibarra");
    for (const text of ["Low", "No email", "No phone", "No source", "$0", "Unassigned", "0"])
      expect(bare.getByText(text)).toBeTruthy();
    expect(bare.getByText("No recent contact")).toBeTruthy();
    const tones = ["success", "info", "info", "neutral"];
    for (const [index, tone] of tones.entries()) {
      const badge = (await rowOf(`Client ${index}`)).getByText(/^\$/);
      expect(badge.className, badge.textContent ?? "").toContain(
        tone === "neutral" ? "bg-muted" : `bg-${tone}-soft`,
      );
    }
  });

  it("keeps search, order and filter in the address and in the request; Clear keeps the order", async () => {
    const asked = serveClients([buildClient()]);
    const { user } = renderPortal("/contacts");
    await rowOf("Inés Duarte");
    expect(asked).toEqual(["limit=50"]);
    await user.click(screen.getByRole("combobox", { name: "Sort clients" }));
    const orders = (await screen.findAllByRole("option")).map(({ textContent }) => textContent);
    expect(orders).toEqual(["Most Recent", "Name", "Highest Value", "Most Calls"]);
    await user.click(screen.getByRole("option", { name: "Most Calls" }));
    await user.click(screen.getByRole("combobox", { name: "Filter clients" }));
    const filters = (await screen.findAllByRole("option")).map(({ textContent }) => textContent);
    expect(filters).toEqual(["All Clients", "High Value (over $1,000)", "Recent (30 days)"]);
    await user.click(screen.getByRole("option", { name: /^High Value/ }));
    await user.click(screen.getByRole("searchbox"));
    await user.paste("(787) 555");
    await waitFor(() =>
      expect(address()).toEqual({ sort: "calls", filter: "high_value", search: "(787) 555" }),
    );
    await waitFor(() =>
      expect(Object.fromEntries(new URLSearchParams(asked.at(-1)))).toEqual({ ...address(), limit: "50" }),
    );
    await user.click(screen.getByRole("button", { name: "Clear Filters" }));
    await waitFor(() => expect(address()).toEqual({ sort: "calls" }));
  });

  it("removes the filters of a report's link by their chips, and ignores unknown filters", async () => {
    const asked = serveClients([buildClient()]);
    server.use(replyTo(listSalesReps, [{ id: 3, name: "Luis Mora", email: "luis@example.com" }]));
    const { user } = renderPortal("/contacts?range=month&day=2026-11-01&until=2026-11-30&rep=3");
    const chips = within(await screen.findByRole("list", { name: "More filters" }));
    expect(await chips.findByText("Converted by Luis Mora")).toBeTruthy();
    expect(chips.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Converted in the last 30 days",
      "Converted from Nov 1, 2026 to Nov 30, 2026",
      "Converted by Luis Mora",
    ]);
    expect(asked.at(-1)).toBe("range=month&day=2026-11-01&until=2026-11-30&rep=3&limit=50");
    await user.click(chips.getByRole("button", { name: /Converted from/ }));
    await waitFor(() => expect(address()).toEqual({ range: "month", rep: "3" }));
    const odd = {
      sort: "recent",
      filter: "all",
      range: "today",
      day: "2026-02-30",
      until: "2026-03-01",
      rep: "x",
    };
    expect(parseContactsSearch(odd)).toEqual({});
    expect(parseContactsSearch({ day: "2026-03-02", until: "2026-03-01" })).toEqual({ day: "2026-03-02" });
  });

  it("exports the filtered clients under the recorded names, with the recorded toasts", async () => {
    serveClients([buildClient()]);
    const asked: string[] = [];
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    URL.createObjectURL = () => "blob:clients";
    URL.revokeObjectURL = () => undefined;
    let isFull = false;
    server.use(
      http.get(exportClients.path, ({ request }) => {
        asked.push(new URL(request.url).searchParams.toString());
        if (isFull) return errorReply("internal", "No room.");
        return HttpResponse.text("[]", { headers: { "x-total-count": "1204" } });
      }),
    );
    const { user } = renderPortal("/contacts?filter=recent&sort=value");
    await user.click(await screen.findByRole("button", { name: "Export CSV" }));
    expect(await screen.findByText("Export Complete")).toBeTruthy();
    expect(screen.getByText("1,204 clients exported.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Export JSON" }));
    await waitFor(() => expect(saved).toEqual(["converted-clients.csv", "converted-clients.json"]));
    isFull = true;
    await user.click(screen.getByRole("button", { name: "Export CSV" }));
    expect(await screen.findByText("Export Failed")).toBeTruthy();
    expect(screen.getByText("No room.")).toBeTruthy();
    expect(saved).toHaveLength(2);
    expect(asked.slice(0, 2)).toEqual([
      "filter=recent&sort=value&format=csv",
      "filter=recent&sort=value&format=json",
    ]);
  });

  it("reports a failed request and retries, and reports an empty list", async () => {
    server.use(refuse(listClients, "internal", "down"), refuse(getClientStats, "internal", "down"));
    const { user, unmount } = renderPortal("/contacts");
    expect(await screen.findByText("Error Loading Clients")).toBeTruthy();
    expect(await screen.findAllByText("Figures not available")).toHaveLength(5);
    serveClients([]);
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("No converted clients found")).toBeTruthy();
    unmount();
    setLanguage("es");
    renderPortal("/contacts?filter=recent");
    expect(await screen.findByRole("heading", { name: "Listas de contactos" })).toBeTruthy();
    expect(
      await screen.findByText("Ningún cliente coincide con estos filtros. Quítalos para verlos todos."),
    ).toBeTruthy();
  });
});

describe("a client's row", () => {
  const serveLead = (lead: Parameters<typeof buildLead>[0] = {}) =>
    server.use(replyTo(getTimeline, []), replyTo(getLead, buildLead({ status: "converted", ...lead })));

  it("calls the lead with its current data", async () => {
    const dialled: unknown[] = [];
    serveClients([buildClient()]);
    serveLead({ phone: "+17875550199" });
    server.use(
      replyTo(makeCall, ({ body }) => {
        dialled.push(body);
        return errorReply("contact_refused", "Not now.");
      }),
    );
    const { user } = renderPortal("/contacts", buildUser({ id: 2 }));
    await user.click((await rowOf("Inés Duarte")).getByRole("button", { name: "Call Inés Duarte" }));
    expect(await screen.findByRole("dialog", { name: /Inés Duarte/ })).toBeTruthy();
    expect(dialled).toEqual([{ leadId: 7, to: "+17875550199" }]);
  });

  it.each([
    {
      why: "a colleague has it",
      lead: { assignedTo: 9, salesRepName: "Luis Mora" },
      shown: /^Luis Mora has this/,
    },
    {
      why: "the contact policy refuses a call",
      lead: { callRefusal: "opted_out" as const },
      shown: /^History$/,
    },
  ])("shows the lead instead of calling it when $why", async ({ lead, shown }) => {
    serveClients([buildClient()]);
    serveLead(lead);
    const { user } = renderPortal("/contacts", buildUser({ id: 2 }));
    const call = (await rowOf("Inés Duarte")).getByRole("button", { name: "Call Inés Duarte" });
    await user.click(call);
    const drawer = within(await screen.findByRole("dialog", { name: "Inés Duarte" }));
    expect(await drawer.findByText(shown)).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(call));
  });
});
