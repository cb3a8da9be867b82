import { listCallLogs } from "@portal/contract/routes/calls";
import {
  getCallsReport,
  getLeadsReport,
  getOverviewReport,
  getPerformanceReport,
} from "@portal/contract/routes/reports";
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setLanguage } from "../../../lib/i18n.ts";
import { buildUser } from "../../../testing/builders.ts";
import { serveCallHistory } from "../../../testing/history-server.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import {
  buildCallsReport,
  buildConsultant,
  buildEmptyOverview,
  buildLeadsReport,
  buildOverview,
  buildPerformance,
} from "../../../testing/report-builders.ts";
import { refuse, replyTo, server } from "../../../testing/server.ts";

const admin = buildUser({ id: 1, name: "Carmen Ortiz", role: "admin" });

/** The server's reports; the requested queries are recorded. */
function serveReports() {
  const asked: string[] = [];
  const note = ({ request }: { request: Request }) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${pathname.split("/").at(-1)} ${searchParams}`);
    const range = searchParams.get("range") === "month" ? ("month" as const) : ("week" as const);
    return { period: { ...buildOverview().period, range } };
  };
  server.use(
    replyTo(getOverviewReport, (context) => buildOverview(note(context))),
    replyTo(getCallsReport, (context) => buildCallsReport(note(context))),
    replyTo(getLeadsReport, (context) => buildLeadsReport(note(context))),
    replyTo(getPerformanceReport, (context) =>
      buildPerformance({
        ...note(context),
        consultants: [
          buildConsultant(),
          buildConsultant({ userId: 3, name: "Luis Vega", calls: 40, answered: 10, conversions: 0 }),
          buildConsultant({ userId: 4, name: "Sofía Rivas", active: false, calls: 0, answered: 0 }),
        ],
      }),
    ),
  );
  return asked;
}

const card = async (label: string) =>
  (await screen.findByText(label, { selector: "dt *" })).closest("div") as HTMLElement;
const addressOf = (link: HTMLElement) => decodeURIComponent(link.getAttribute("href") ?? "");
const link = (of: HTMLElement, name: string | RegExp) => addressOf(within(of).getByRole("link", { name }));
const region = (name: string) => screen.findByRole("region", { name });

describe("the overview report", () => {
  it("shows the recorded cards with correct trends, and whose figures they are", async () => {
    serveReports();
    renderPortal("/reports");
    expect(await screen.findByRole("heading", { level: 1, name: "Reports & Analytics" })).toBeTruthy();
    expect((await card("Total Calls")).textContent).toBe("Total Calls50+25% from last period");
    expect((await card("Answered Calls")).textContent).toBe("Answered Calls20-20% from last period");
    expect((await card("Conversion Rate")).textContent).toBe("Conversion Rate12.5%0% from last period");
    expect((await card("Talk Time")).textContent).toBe("Talk Time91 minNo previous data");
    expect(screen.getByText("Your calls and leads · Nov 14 – 20, 2026, New York time")).toBeTruthy();
    expect(link(await card("Answered Calls"), "Answered Calls")).toBe(
      "/call-history?range=week&outcome=answered",
    );
    expect(link(await card("Conversion Rate"), "Conversion Rate")).toBe("/all-leads?converted=week&rep=2");
  });

  it("distributes all leads and calls, with states and outcomes that the specification does not name", async () => {
    serveReports();
    renderPortal("/reports?range=month", admin);
    const bars = (name: string) =>
      within(screen.getByRole("list", { name }))
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent);
    const distribution = within(await region("Lead Status Distribution"));
    expect(distribution.getByText("Leads created in this period, by their status now")).toBeTruthy();
    expect(bars("Lead Status Distribution")).toEqual([
      "New3 37.5%",
      "Contacted2 25.0%",
      "Interested1 12.5%",
      "Not Interested1 12.5%",
      "Converted1 12.5%",
    ]);
    expect(bars("Call Outcomes")).toEqual([
      "Answered20 40.0%",
      "Voicemail0 0.0%",
      "Busy0 0.0%",
      "No Answer24 48.0%",
      "Wrong Number4 8.0%",
      "No outcome yet2 4.0%",
    ]);
    const [statuses, outcomes] = [await region("Lead Status Distribution"), await region("Call Outcomes")];
    expect(link(statuses, "Interested")).toBe("/all-leads?created=month&status=interested");
    expect(link(outcomes, "No outcome yet")).toBe("/call-history?range=month&outcome=none");
    expect(link(await card("Conversion Rate"), "Conversion Rate")).toBe("/contacts?range=month");
    const before = (name: string) => card(name).then((figure) => link(figure, /from last period/));
    expect(await before("Total Calls")).toBe("/call-history?range=previous-month");
    expect(await before("Conversion Rate")).toBe("/contacts?range=previous-month");
    expect(screen.getByText(/^Everyone · /)).toBeTruthy();
  });

  it("shows the activity as a table whose figures link to the calls of the day", async () => {
    serveReports();
    const { user } = renderPortal("/reports");
    const activity = within(await region("Daily Activity"));
    expect(activity.getByRole("link", { name: "Calls 50" })).toBeTruthy();
    await user.click(activity.getByRole("button", { name: "Show as table" }));
    const [, thursday, friday, total] = activity.getAllByRole("row");
    expect(thursday?.textContent).toBe("Thu, Nov 19301251");
    expect(total?.textContent).toBe("Total502051");
    expect(link(friday as HTMLElement, "8")).toBe("/call-history?range=week&outcome=answered&day=2026-11-20");
    expect(link(thursday as HTMLElement, "5")).toBe("/texts?range=week&day=2026-11-19");
    expect(link(thursday as HTMLElement, "1")).toBe("/all-leads?converted=week&convertedOn=2026-11-19&rep=2");
    expect(activity.getByRole("button", { name: "Show as chart" })).toBeTruthy();
  });

  it("groups a long period by week, and links to the calls of the whole week", async () => {
    const { points } = buildOverview().activity;
    const [point] = points;
    if (!point) throw new Error("no point");
    server.use(
      replyTo(
        getOverviewReport,
        buildOverview({ activity: { step: "week", points: [{ ...point, day: "2026-11-09" }] } }),
      ),
    );
    const { user } = renderPortal("/reports?range=all", admin);
    const activity = within(await region("Daily Activity"));
    await user.click(activity.getByRole("button", { name: "Show as table" }));
    const row = activity.getByRole("row", { name: /^Week of Nov 9, 2026/ });
    expect(link(row, "30")).toBe("/call-history?range=week&day=2026-11-09&until=2026-11-15");
    expect(link(row, "1")).toBe("/contacts?range=week&day=2026-11-09&until=2026-11-15");
  });

  it("reports that there is no data yet instead of empty charts", async () => {
    server.use(replyTo(getOverviewReport, buildEmptyOverview()));
    renderPortal("/reports");
    expect((await card("Total Calls")).textContent).toBe("Total Calls0No previous data");
    expect((await card("Conversion Rate")).textContent).toBe("Conversion Rate—No new leads to compare with");
    expect(screen.getAllByText("No data yet")).toHaveLength(3);
    expect(screen.queryByRole("button", { name: "Show as table" })).toBeNull();
  });

  it("offers Retry when loading fails", async () => {
    server.use(refuse(getOverviewReport, "internal", "Something went wrong"));
    const { user } = renderPortal("/reports");
    expect(await screen.findByText("The report could not be loaded")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Export" }).getAttribute("aria-disabled")).toBe("true");
    serveReports();
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await card("Total Calls")).toBeTruthy();
  });

  it("draws the chart when there is room, and Enter opens the calls of the day selected by arrow keys", async () => {
    vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(640);
    serveReports();
    const asked = serveCallHistory();
    const { user } = renderPortal("/reports");
    const chart = await screen.findByRole("application", { name: /^Daily Activity: chart/ });
    chart.focus();
    await user.keyboard("{ArrowRight}");
    expect(await screen.findByText("Fri, Nov 20")).toBeTruthy();
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { level: 1, name: "Call History" })).toBeTruthy();
    await waitFor(() => expect(asked.join()).toContain("day=2026-11-20"));
  });
});

describe("the report type and the range", () => {
  it("change the page and are kept in the address", async () => {
    const asked = serveReports();
    const { user } = renderPortal("/reports");
    await card("Total Calls");
    await user.click(screen.getByRole("tab", { name: "Leads" }));
    expect((await card("New Leads")).textContent).toBe("New Leads8+100% from last period");
    await user.click(screen.getByRole("combobox", { name: "Date range" }));
    await user.click(await screen.findByRole("option", { name: "Last 30 days" }));
    await waitFor(() => expect(window.location.search).toBe("?type=leads&range=month"));
    await waitFor(() => expect(asked.at(-1)).toBe("leads range=month"));
    await user.click(screen.getByRole("tab", { name: "Overview" }));
    await waitFor(() => expect(window.location.search).toBe("?range=month"));
    expect(asked).toEqual([
      "overview range=week",
      "leads range=week",
      "leads range=month",
      "overview range=month",
    ]);
  });

  it("calls: show when leads answered", async () => {
    serveReports();
    setLanguage("es");
    renderPortal("/reports?type=calls&range=month");
    const rate = await card("Tasa de respuesta");
    expect(rate.textContent).toBe(
      "Tasa de respuesta40%-36% respecto al período anterior2 sin resultado aún cuentan como no contestadas",
    );
    expect(link(rate, /sin resultado/)).toBe("/call-history?range=month&outcome=none");
    expect((await card("Tiempo promedio de conversación")).textContent).toContain("4:31");
    const heat = await region("Llamadas por día y hora");
    expect(within(heat).getAllByRole("columnheader")[1]?.textContent).toBe("lun");
    // From 9 to 11, the first and the last hour with calls.
    expect(within(heat).getAllByRole("row")).toHaveLength(4);
    expect(link(heat, /^domingo, 11.*: 20 llamadas, 5 contestadas$/)).toBe(
      "/call-history?range=month&weekday=7&hour=11",
    );
    expect(link(await region("Salientes y entrantes"), "Entrantes")).toBe(
      "/call-history?range=month&direction=inbound",
    );
  });

  it("leads: show sources, states and the time to the first call", async () => {
    serveReports();
    renderPortal("/reports?type=leads");
    expect((await card("Time to First Call")).textContent).toBe(
      "Time to First Call1.5 hrMedian, 6 of 8 called",
    );
    const sources = await region("Lead Sources");
    const rows = within(sources).getAllByRole("row");
    expect(rows.map(({ textContent }) => textContent).slice(1)).toEqual([
      "Facebook450.0%1",
      "-112.5%1",
      "=cmd()\n+1112.5%0",
      "No source112.5%0",
      "Other sources112.5%—",
    ]);
    expect(link(rows[1] as HTMLElement, "1")).toBe(
      "/all-leads?created=week&source=Facebook&status=converted&rep=2",
    );
    expect(link(rows[2] as HTMLElement, "-")).toBe("/all-leads?created=week&source=-&rep=2");
    expect(link(rows[4] as HTMLElement, "No source")).toBe("/all-leads?created=week&sources=none&rep=2");
    const firstCall = await region("Time to First Call");
    expect(link(rows[5] as HTMLElement, "1")).toBe("/all-leads?created=week&sources=others&rep=2");
    expect(link(firstCall, "Within 5 minutes")).toBe("/all-leads?created=week&firstCall=5&rep=2");
    expect(link(firstCall, "After 1 day")).toBe("/all-leads?created=week&firstCall=later&rep=2");
    expect(link(firstCall, "Never called")).toBe("/all-leads?created=week&called=no&rep=2");
  });

  it("performance: sorts the consultants, and keeps the order in the address", async () => {
    serveReports();
    const { user } = renderPortal("/reports?type=performance", admin);
    const names = () =>
      within(screen.getByRole("table", { name: "Consultants" }))
        .getAllByRole("rowheader")
        .map(({ textContent }) => textContent);
    await region("Calls by Consultant");
    expect(names()).toEqual(["Luis Vega", "Ana Rivera", "Sofía Rivasclosed", "Total"]);
    await user.click(screen.getByRole("button", { name: "Answer Rate" }));
    expect(names()).toEqual(["Ana Rivera", "Luis Vega", "Sofía Rivasclosed", "Total"]);
    expect(screen.getByRole("columnheader", { name: "Answer Rate" }).getAttribute("aria-sort")).toBe(
      "descending",
    );
    await user.click(screen.getByRole("button", { name: "Answer Rate" }));
    expect(names()).toEqual(["Luis Vega", "Ana Rivera", "Sofía Rivasclosed", "Total"]);
    expect(window.location.search).toBe("?type=performance&sort=answerRate");
    const ana = within(screen.getByRole("table", { name: "Consultants" })).getByRole("row", { name: /^Ana/ });
    expect(link(ana, "30")).toBe("/call-history?range=week&rep=2");
    expect(within(ana).getAllByRole("link").map(addressOf)).toContain(
      "/texts?range=week&rep=2&direction=outbound",
    );
    expect(link(ana, "$1,250.50")).toBe("/contacts?range=week&rep=2");
    const total = screen.getByRole("row", { name: /^Total/ });
    expect(new Set(within(total).getAllByRole("link").map(addressOf))).toEqual(
      new Set([
        "/all-leads?assignment=assigned",
        "/call-history?range=week&rep=any",
        "/call-history?range=week&rep=any&outcome=answered",
        "/texts?range=week&rep=any&direction=outbound",
        "/contacts?range=week&rep=any",
      ]),
    );
  });
});

describe("the export of a report", () => {
  let saved: { file: Blob; name: string }[] = [];
  beforeEach(() => {
    saved = [];
    URL.createObjectURL = (file) => {
      saved.push({ file: file as Blob, name: "" });
      return "blob:report";
    };
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      const last = saved.at(-1);
      if (last) last.name = this.download;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  const lines = async () => {
    const bytes = new Uint8Array((await saved.at(-1)?.file.arrayBuffer()) ?? new ArrayBuffer(0));
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    return new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  };

  it("contains exactly the figures shown and reports the number of rows", async () => {
    serveReports();
    const { user } = renderPortal("/reports?range=month");
    await card("Total Calls");
    await user.click(screen.getByRole("button", { name: "Export" }));
    expect((await screen.findAllByText("Export Complete")).length).toBeGreaterThan(0);
    expect(saved.map(({ name }) => name)).toEqual(["report-overview-month.csv"]);
    const csv = await lines();
    expect(csv.slice(0, 5)).toEqual([
      "Section,Item,Figure,Value,Previous period,Change (%)",
      "Summary,Total Calls,Total Calls,50,40,25",
      "Summary,Answered Calls,Answered Calls,20,25,-20",
      "Summary,Conversion Rate (%),Conversion Rate (%),12.5,12.5,0",
      "Summary,Talk Time (min),Talk Time (min),91,0,",
    ]);
    expect(csv).toContain("Call Outcomes,No outcome yet,Percent,4,,");
    expect(csv).toContain("Daily Activity,2026-11-19,Texts,5,,");
    expect(screen.getAllByText(`${csv.length - 1} rows exported.`).length).toBeGreaterThan(0);
  });

  it("escapes a source that would be a spreadsheet formula", async () => {
    serveReports();
    const { user } = renderPortal("/reports?type=leads");
    await card("New Leads");
    await user.click(screen.getByRole("button", { name: "Export" }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(await lines()).toContain(`Lead Sources (Leads created in this period),"'=cmd()\n+1",Leads,1,,`);
  });

  it("has one row per consultant for performance, in the order shown", async () => {
    serveReports();
    const { user } = renderPortal("/reports?type=performance&sort=name", admin);
    await region("Consultants");
    await user.click(screen.getByRole("button", { name: "Export" }));
    await waitFor(() => expect(saved.at(-1)?.name).toBe("report-performance-week.csv"));
    expect(await lines()).toEqual([
      "Consultant,Leads,Calls,Answered,Answer Rate (%),Talk Time (min),Texts,Conversions,Value",
      "Ana Rivera,40,30,15,50,60,4,1,1250.5",
      "Luis Vega,40,40,10,25,60,4,0,1250.5",
      "Sofía Rivas,40,0,0,,60,4,1,1250.5",
    ]);
  });

  it("reports a failed export", async () => {
    serveReports();
    const { user } = renderPortal("/reports");
    await card("Total Calls");
    URL.createObjectURL = () => {
      throw new Error("no room");
    };
    await user.click(screen.getByRole("button", { name: "Export" }));
    expect((await screen.findAllByText("Export Failed")).length).toBeGreaterThan(0);
  });
});

it("links a figure to the rows it counts", async () => {
  serveReports();
  server.use(replyTo(listCallLogs, []));
  const asked = serveCallHistory();
  const { user } = renderPortal("/reports");
  await user.click(within(await card("Answered Calls")).getByRole("link", { name: "Answered Calls" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Call History" })).toBeTruthy();
  await waitFor(() => expect(asked).toEqual(["limit=50&range=week&outcome=answered"]));
});
