import { listSalesReps } from "@portal/contract/routes/assignment";
import {
  exportCallLogs,
  getCallLogSummary,
  getPhoneNumbers,
  listCallLogs,
  makeCall,
  settleMissedCall,
} from "@portal/contract/routes/calls";
import { getLead, listFurtherNumbers } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { buildUser } from "../../testing/builders.ts";
import { buildRecording, serveCallHistory } from "../../testing/history-server.ts";
import { buildCallLog, buildLead } from "../../testing/lead-builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, refuse, replyTo, server } from "../../testing/server.ts";

beforeEach(() => {
  // jsdom has no layout, so rows get a height and a list shows as many as fit on a screen.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(100);
});

const log = (overrides: Parameters<typeof buildCallLog>[0] = {}) =>
  buildCallLog({ confirmed: true, outcome: "answered", callDate: "2026-03-05T15:00:00.000Z", ...overrides });

// Loaded when first opened; a loaded machine takes its time.
beforeAll(() => import("../leads/panel/lead-panel-dock.tsx"));

describe("the call history", () => {
  it("shows the heading, the shared number, both tabs and the figures", async () => {
    serveCallHistory({
      logs: [log({ id: 1, duration: 90 }), log({ id: 2, duration: 60, outcome: "voicemail" })],
    });
    renderPortal("/call-history");
    expect(await screen.findByRole("heading", { level: 1, name: "Call History" })).toBeTruthy();
    expect(await screen.findByText("(212) 555-0100")).toBeTruthy();
    expect(screen.getByText("Shared by all consultants for SMS and calls.")).toBeTruthy();
    expect(screen.getByRole("tab", { name: "Call History" }).getAttribute("aria-selected")).toBe("true");
    expect(screen.getByRole("tab", { name: "Twilio Recordings" })).toBeTruthy();
    const figure = (name: string) => screen.getByText(name, { selector: "dt" }).parentElement?.textContent;
    await waitFor(() => expect(figure("Total Calls")).toBe("Total Calls2"));
    expect(figure("Answered")).toBe("Answered1");
    expect(figure("Voicemails")).toBe("Voicemails1");
    expect(figure("Total Minutes")).toBe("Total Minutes3");
  });

  it("shows every recorded field of an entry", async () => {
    serveCallHistory({
      logs: [
        log({
          duration: 74,
          notes: "Call back at noon",
          recordingSid: `RE${"1".repeat(32)}`,
          recordingSeconds: 71,
        }),
      ],
    });
    renderPortal("/call-history");
    const entry = within(await screen.findByRole("article", { name: "Inés Duarte" }));
    for (const text of ["Solar del Este", "Answered", "Browser", "Recording Available", "1:14"]) {
      expect(entry.getByText(text)).toBeTruthy();
    }
    expect(entry.getByText("Call back at noon")).toBeTruthy();
    expect(entry.getByText(/^Mar 5, 2026, /)).toBeTruthy();
    expect(entry.getByRole("button", { name: "Play recording" })).toBeTruthy();
    expect(entry.getByText("0:00 / 1:11")).toBeTruthy();
  });

  it("marks a reported duration, and a report without a matching call", async () => {
    const asked = serveCallHistory({
      logs: [log({ duration: 65, durationReported: true, unmatched: true })],
    });
    const { user } = renderPortal("/call-history");
    const entry = within(await screen.findByRole("article", { name: "Inés Duarte" }));
    expect(entry.getByText("Duration 1:05 (reported)")).toBeTruthy();
    expect(entry.getByText("Not matched").title).toContain("is not known to be theirs");
    await user.click(screen.getByRole("combobox", { name: "Filter by where the duration comes from" }));
    await user.click(await screen.findByRole("option", { name: "Reported, not matched" }));
    await waitFor(() => expect(asked.at(-1)).toContain("time=unmatched"));
  });

  it("shows a lead without a name by its id", async () => {
    serveCallHistory({ logs: [log({ leadName: "", leadId: 12, recordingSid: null })] });
    renderPortal("/call-history");
    const entry = within(await screen.findByRole("article", { name: "Lead #12" }));
    expect(entry.queryByText("Recording Available")).toBeNull();
    expect(entry.queryByRole("button", { name: "Play recording" })).toBeNull();
  });

  it("shows a hint when the list is empty, with and without filters", async () => {
    serveCallHistory();
    const { unmount } = renderPortal("/call-history");
    expect(await screen.findByText("No call history found")).toBeTruthy();
    expect(screen.getByText("Start making calls to see your history here")).toBeTruthy();
    unmount();
    serveCallHistory();
    renderPortal("/call-history?outcome=busy");
    expect(await screen.findByText("Try adjusting your filters")).toBeTruthy();
  });

  it("requests calls with the filters of the address", async () => {
    const asked = serveCallHistory();
    renderPortal("/call-history?search=noon&outcome=no_answer&range=week");
    expect(await screen.findByText("No call history found")).toBeTruthy();
    expect(asked).toEqual(["limit=50&search=noon&outcome=no_answer&range=week"]);
    expect(screen.getByRole("combobox", { name: "Filter by outcome" }).textContent).toBe("No Answer");
    expect(screen.getByRole("combobox", { name: "Filter by date" }).textContent).toBe("Last 7 days");
  });

  it("keeps a chosen filter and the search text in the address; Clear resets all three", async () => {
    serveCallHistory({ logs: [log()] });
    const { user } = renderPortal("/call-history?range=today");
    await screen.findByRole("article");
    await user.click(screen.getByRole("combobox", { name: "Filter by outcome" }));
    await screen.findByRole("option", { name: "Voicemail" });
    // The recorded outcomes in their order, then all others that a consultant or the provider can set.
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
      ...["All Outcomes", "Answered", "Voicemail", "Busy", "No Answer"],
      ...["Wrong Number", "Disconnected", "Could not be connected", "No outcome yet"],
    ]);
    await user.click(screen.getByRole("option", { name: "Voicemail" }));
    await user.type(screen.getByRole("searchbox", { name: "Search notes" }), "offer");
    await waitFor(() => expect(window.location.search).toContain("search=offer"));
    expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({
      range: "today",
      outcome: "voicemail",
      search: "offer",
    });
    await user.click(screen.getByRole("button", { name: "Clear" }));
    await waitFor(() => expect(window.location.search).toBe(""));
    expect(screen.getByRole<HTMLInputElement>("searchbox", { name: "Search notes" }).value).toBe("");
    expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();
  });

  it("shows the filter of a report's link as a chip that removes it", async () => {
    const asked = serveCallHistory();
    server.use(replyTo(listSalesReps, [{ id: 3, name: "Luis Mora", email: "luis@example.com" }]));
    const { user } = renderPortal(
      "/call-history?day=2026-11-20&weekday=1&hour=14&rep=3&direction=outbound&range=month",
    );
    const chips = within(await screen.findByRole("list", { name: "More filters" }));
    expect(await chips.findByText("Consultant: Luis Mora")).toBeTruthy();
    for (const text of ["Nov 20, 2026", "Mon 2:00 PM–3:00 PM", "Outbound"]) {
      expect(chips.getByText(text)).toBeTruthy();
    }
    await user.click(chips.getByRole("button", { name: "Remove filter: Mon 2:00 PM–3:00 PM" }));
    await waitFor(() =>
      expect(asked).toEqual([
        "limit=50&day=2026-11-20&weekday=1&hour=14&rep=3&direction=outbound&range=month",
        "limit=50&day=2026-11-20&rep=3&direction=outbound&range=month",
      ]),
    );
    await user.click(screen.getByRole("button", { name: "Clear" }));
    await waitFor(() => expect(screen.queryByRole("list", { name: "More filters" })).toBeNull());
  });

  it("renders only a few of many rows", async () => {
    const many = Array.from({ length: 500 }, (_, index) => log({ id: index + 1, leadName: `Lead ${index}` }));
    serveCallHistory({ logs: many });
    renderPortal("/call-history");
    const rows = within(await screen.findByRole("list", { name: "Calls" })).getAllByRole("listitem");
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.length).toBeLessThanOrEqual(80);
    expect(rows[0]?.getAttribute("aria-setsize")).toBe("500");
  });

  it("opens the panel of an entry's lead and returns to the entry", async () => {
    serveCallHistory({ logs: [log()] });
    server.use(replyTo(getTimeline, []), replyTo(getLead, buildLead()));
    const { user } = renderPortal("/call-history");
    const name = await screen.findByRole("link", { name: "Inés Duarte" });
    await user.click(name);
    expect(await screen.findByRole("dialog", { name: "Inés Duarte" })).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it("lists missed calls and calls back the number that called", async () => {
    const further = "+13055550188";
    const inbound = { direction: "inbound", callType: "inbound", outcome: null, missed: true } as const;
    serveCallHistory({ missed: [log({ id: 9, ...inbound, callerNumber: further })] });
    const called: unknown[] = [];
    server.use(
      replyTo(getLead, buildLead({ isMerged: true })),
      replyTo(listFurtherNumbers, [{ phone: further, callRefusal: null, callAllowedAt: null }]),
      replyTo(makeCall, ({ body }) => {
        called.push(body);
        return errorReply("rep_without_phone", "Set a phone number in Settings.");
      }),
    );
    const { user } = renderPortal("/call-history");
    const section = within(await screen.findByRole("region", { name: /^Missed calls/ }));
    await user.click(section.getByRole("button", { name: "Call back Inés Duarte" }));
    await waitFor(() => expect(called).toEqual([expect.objectContaining({ leadId: 7, to: further })]));
  });

  it("shows the number of missed calls in the sidebar of every page", async () => {
    server.use(replyTo(listCallLogs, [], { "x-total-count": "4" }));
    renderPortal("/reports");
    expect(await screen.findByRole("link", { name: /^Call History\s*4 missed calls/ })).toBeTruthy();
  });

  it("removes a missed call from the list with one tap and restores it with another", async () => {
    const missed = log({
      id: 9,
      direction: "inbound",
      callType: "inbound",
      outcome: "voicemail",
      missed: true,
    });
    serveCallHistory({ missed: [missed] });
    const settled: unknown[] = [];
    server.use(
      replyTo(settleMissedCall, async ({ body }) => {
        settled.push(body);
        serveCallHistory({ missed: (body as { done: boolean }).done ? [] : [missed] });
        // The event may arrive before the response.
        await invalidatePaths(client, [listCallLogs.path]);
        return { ...missed, missed: !(body as { done: boolean }).done };
      }),
    );
    const { user, client } = renderPortal("/call-history");
    const section = within(await screen.findByRole("region", { name: /^Missed calls/ }));
    const done = section.getByRole("button", { name: "Done Inés Duarte" });
    await user.click(done);
    expect(await section.findByText(/Off the list/)).toBeTruthy();
    expect(section.queryByRole("button", { name: /^Call back/ })).toBeNull();
    // The focus stays on the Undo button, because the row is never removed in between.
    expect(section.getByRole("button", { name: /^Undo/ })).toBe(done);
    await waitFor(() => expect(document.activeElement?.textContent).toContain("Undo"));
    await user.keyboard("{Enter}");
    expect(await section.findByRole("button", { name: "Call back Inés Duarte" })).toBeTruthy();
    expect(settled).toEqual([{ done: true }, { done: false }]);
  });

  it("shows unknown callers by their number, which can be dialed or copied", async () => {
    const stranger = { leadId: null, leadName: "", leadCompany: null, direction: "inbound" as const };
    serveCallHistory({
      logs: [
        log({
          ...stranger,
          id: 1,
          callerNumber: "+13125550188",
          transcription: "Call me",
          recordingSid: `RE${"1".repeat(32)}`,
          outcome: "voicemail",
        }),
        log({ ...stranger, id: 2, callerNumber: null, outcome: "voicemail", noTranscription: "language" }),
      ],
    });
    renderPortal("/call-history");
    const entry = within(await screen.findByRole("article", { name: "(312) 555-0188" }));
    expect(entry.getByText("Unknown caller")).toBeTruthy();
    expect(entry.getByText("Voicemail: Call me")).toBeTruthy();
    expect(screen.getByText("Not written down: only messages in English are.")).toBeTruthy();
    expect(entry.getByRole("group", { name: /^Voicemail/ })).toBeTruthy();
    expect(entry.getByRole("link", { name: "Dial (312) 555-0188" }).getAttribute("href")).toBe(
      "tel:+13125550188",
    );
    expect(entry.getByRole("button", { name: "Copy number (312) 555-0188" })).toBeTruthy();
    expect(entry.queryByRole("button", { name: /Call back|Open the history/ })).toBeNull();
    expect(screen.getByRole("link", { name: "Calls from unknown numbers" }).getAttribute("href")).toBe(
      "/call-history?unknown=true",
    );
    const withheld = within(screen.getByRole("article", { name: "Number withheld" }));
    expect(withheld.queryByRole("link")).toBeNull();
  });

  it("reports a failed request and retries", async () => {
    serveCallHistory();
    server.use(refuse(listCallLogs, "internal", "The server failed."));
    const { user } = renderPortal("/call-history");
    expect(await screen.findByText("Call history could not be loaded")).toBeTruthy();
    serveCallHistory({ logs: [log()] });
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("article", { name: "Inés Duarte" })).toBeTruthy();
  });

  it("says that the number and the figures could not be loaded, and retries each", async () => {
    serveCallHistory({ logs: [log()] });
    server.use(
      refuse(getPhoneNumbers, "internal", "No number."),
      refuse(getCallLogSummary, "internal", "No figures."),
    );
    const { user } = renderPortal("/call-history");
    const number = (await screen.findByText("No number.")).parentElement as HTMLElement;
    expect(screen.getByRole("heading", { name: "Assigned system number" })).toBeTruthy();
    const figures = (await screen.findByText("No figures.")).parentElement as HTMLElement;
    serveCallHistory({ logs: [log()] });
    await user.click(within(number).getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("(212) 555-0100")).toBeTruthy();
    await user.click(within(figures).getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("Total Calls", { selector: "dt" })).toBeTruthy();
  });

  it("says so in its line of figures too", async () => {
    serveCallHistory({ logs: [log()] });
    server.use(refuse(getCallLogSummary, "internal", "No figures."));
    const { user } = renderPortal(
      "/call-history",
      buildUser({ lists: { "call-history": { layout: "rows" } } }),
    );
    const line = within(await screen.findByRole("region", { name: "Figures" }));
    expect(await line.findByText("No figures.")).toBeTruthy();
    serveCallHistory({ logs: [log()] });
    await user.click(line.getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(line.getByText("Total Calls").textContent).toContain("1"));
  });

  it("is translated into Spanish", async () => {
    setLanguage("es");
    serveCallHistory();
    renderPortal("/call-history");
    expect(await screen.findByText("No se encontró historial de llamadas")).toBeTruthy();
    expect(screen.getByRole("tab", { name: "Grabaciones de Twilio" })).toBeTruthy();
  });
});

describe("the export of the call history", () => {
  let asked: string[];
  let saved: string[];
  beforeEach(() => {
    asked = [];
    saved = [];
    URL.createObjectURL = vi.fn(() => "blob:saved");
    URL.revokeObjectURL = vi.fn();
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
  });

  it.each(["csv", "json"] as const)("saves the filtered calls as %s and counts them", async (format) => {
    serveCallHistory({ logs: [log({ id: 1 }), log({ id: 2 })] });
    server.use(
      http.get(exportCallLogs.path, ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.text("file");
      }),
    );
    const { user } = renderPortal("/call-history?outcome=answered");
    await user.click(await screen.findByRole("button", { name: "Export" }));
    await user.click(await screen.findByRole("menuitem", { name: `Export ${format.toUpperCase()}` }));
    expect(await screen.findByText("Export Complete")).toBeTruthy();
    expect(screen.getByText("2 calls exported.")).toBeTruthy();
    expect(asked).toEqual([`?outcome=answered&format=${format}`]);
    expect(saved).toEqual([`call-history.${format}`]);
  });

  it("reports a failed export", async () => {
    serveCallHistory({ logs: [log()] });
    server.use(refuse(exportCallLogs, "internal", "The server failed."));
    const { user } = renderPortal("/call-history");
    await user.click(await screen.findByRole("button", { name: "Export" }));
    await user.click(await screen.findByRole("menuitem", { name: "Export CSV" }));
    expect(await screen.findByText("Export Failed")).toBeTruthy();
    expect(saved).toEqual([]);
  });
});

describe("the Twilio recordings", () => {
  it("shows a recording with its player and a download link", async () => {
    serveCallHistory({ recordings: [buildRecording()] });
    const { user } = renderPortal("/call-history");
    await user.click(await screen.findByRole("tab", { name: "Twilio Recordings" }));
    const entry = within(await screen.findByRole("article", { name: "Inés Duarte" }));
    expect(window.location.search).toBe("?tab=recordings");
    for (const text of ["Completed", "(787) 555-0107", "1:14", "0:00 / 1:14"]) {
      expect(entry.getByText(text)).toBeTruthy();
    }
    expect((await entry.findByRole("slider", { name: "Volume" })).getAttribute("aria-valuetext")).toBe(
      "100 %",
    );
    const download = entry.getByRole("link", { name: "Download Inés Duarte" });
    expect(download.getAttribute("href")).toBe(`/api/twilio/recording/RE${"3".repeat(32)}?download=1`);
    expect(download.getAttribute("target")).toBe("_blank");
  });

  it("shows N/A for unknown details", async () => {
    const unknown = { recordingSid: "", leadId: null, leadName: null, leadPhone: null, duration: null };
    serveCallHistory({ recordings: [buildRecording({ ...unknown, recordingStatus: "in-progress" })] });
    renderPortal("/call-history?tab=recordings");
    const entry = within(await screen.findByRole("article", { name: "Unknown Lead" }));
    expect(entry.getAllByText("N/A")).toHaveLength(2);
    expect(entry.getByText("in-progress")).toBeTruthy();
    expect(entry.queryByRole("button", { name: "Play recording" })).toBeNull();
  });

  it("reports an empty list", async () => {
    serveCallHistory();
    renderPortal("/call-history?tab=recordings");
    expect(await screen.findByText("No recordings found")).toBeTruthy();
    expect(screen.getByText("Recordings from Twilio calls will appear here")).toBeTruthy();
  });
});
