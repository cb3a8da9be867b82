import type { TimelineEntry } from "@portal/contract/entities/timeline";
import { listExtraFields } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { renderApp } from "../../testing/render.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";
import { DialogOutlet } from "../../ui/dialog-outlet.tsx";
import { HistoryButton } from "../leads/components/open-lead-dialogs.tsx";

function buildEntry(overrides: Partial<TimelineEntry> = {}): TimelineEntry {
  return {
    key: "event:1",
    at: "2026-03-05T15:00:00.000Z",
    kind: "changed",
    actorName: "Ana Rivera",
    field: null,
    before: null,
    after: null,
    outcome: null,
    durationSeconds: null,
    durationReported: false,
    recordingSid: null,
    recordingSeconds: null,
    noTranscription: null,
    direction: null,
    text: null,
    status: null,
    attachments: null,
    related: [],
    ...overrides,
  };
}

const button = (
  <>
    <HistoryButton lead={{ id: 7, name: "Inés Duarte" }} />
    <DialogOutlet />
  </>
);

async function openDrawer(entries: TimelineEntry[]) {
  server.use(replyTo(getTimeline, entries));
  const { user } = renderApp(button);
  await user.click(screen.getByRole("button", { name: "History of Inés Duarte" }));
  return { user, drawer: within(await screen.findByRole("dialog", { name: "History of Inés Duarte" })) };
}

describe("the timeline of a lead", () => {
  it("lists the extra fields that came with the lead, as plain text", async () => {
    const hostile = "<img src=x onerror=alert(1)>";
    server.use(
      replyTo(listExtraFields, [
        { name: hostile, value: `${hostile}\nsecond line`, from: "import" },
        { name: "utm_source", value: "spring", from: "import" },
        { name: "tags", value: "hot", from: "crm" },
      ]),
    );
    const { drawer } = await openDrawer([buildEntry()]);
    const terms = await drawer.findAllByRole("term");
    expect(terms.map(({ textContent }) => textContent)).toEqual([hostile, "utm_source"]);
    expect(drawer.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
      `${hostile}\nsecond line`,
      "spring",
    ]);
    expect(drawer.getByText("Extra fields (2)")).toBeTruthy();
    expect(drawer.queryByRole("img")).toBeNull();
  });

  it("shows calls with outcome, duration, notes and player", async () => {
    const { drawer } = await openDrawer([
      buildEntry({
        key: "call:1",
        kind: "call",
        outcome: "answered",
        durationSeconds: 74,
        direction: "outbound",
        text: "Call back at noon",
        recordingSid: `RE${"1".repeat(32)}`,
      }),
      buildEntry({
        key: "call:2",
        kind: "call",
        outcome: "busy",
        durationSeconds: 65,
        durationReported: true,
      }),
      buildEntry({ key: "call:3", kind: "call", outcome: "voicemail", noTranscription: "language" }),
    ]);
    const [call, reported, voicemail] = await drawer.findAllByRole("listitem");
    expect(call?.textContent).toMatch(/^CallAnswered · 1:14.* · by Ana RiveraCall back at noon/);
    expect(reported?.textContent).toMatch(/^CallBusy · 1:05 \(reported\)/);
    expect(voicemail?.textContent).toContain("Not written down: only messages in English are.");
    expect(drawer.getByRole("group", { name: "Call recording Inés Duarte" })).toBeTruthy();
  });

  it("shows a change with old value, new value and author", async () => {
    const { drawer } = await openDrawer([
      buildEntry({ field: "status", before: "new", after: "not_interested" }),
      buildEntry({
        key: "event:2",
        kind: "crm-synced",
        actorName: null,
        before: { company: "Sol" },
        after: { company: "Luna" },
      }),
      buildEntry({ key: "event:3", kind: "converted", field: "conversionValue", after: 1200 }),
      buildEntry({ key: "event:4", kind: "never-heard-of", field: "x" }),
    ]);
    const items = await drawer.findAllByRole("listitem");
    const words = items.map(({ textContent }) => textContent);
    expect(words[0]).toMatch(/Status changed.*by Ana Rivera.*beforeNew.*afterNot Interested/);
    expect(words[1]).toMatch(/Synced from GHL.*Company:.*Sol.*Luna/);
    expect(words[2]).toMatch(/Converted to client.*none.*\$1,200/);
    expect(words[3]).toMatch(/^Event/);
  });

  it("shows a call once, with its changes in small print, and filters by kind, words and system events on the server", async () => {
    const change = { at: "2026-03-05T15:01:00.000Z", actorName: "Ana Rivera" };
    const asked: string[] = [];
    const call = buildEntry({
      key: "call:1",
      kind: "call",
      outcome: "answered",
      related: [
        { ...change, key: "event:5", field: "status", before: "new", after: "interested" },
        {
          ...change,
          key: "event:6",
          actorName: "Luis Mora",
          field: "outcome",
          before: "voicemail",
          after: "answered",
        },
      ],
    });
    server.use(
      replyTo(getTimeline, ({ request }) => {
        const { searchParams } = new URL(request.url);
        searchParams.delete("limit");
        asked.push(searchParams.toString());
        return searchParams.get("search") === "nothing" ? [] : [call];
      }),
    );
    const { user } = renderApp(button);
    await user.click(screen.getByRole("button", { name: "History of Inés Duarte" }));
    const drawer = within(await screen.findByRole("dialog", { name: "History of Inés Duarte" }));
    const words = (await drawer.findByRole("listitem")).textContent;
    expect(words).toMatch(/Status:.*New.*Interested.*Outcome:.*Voicemail.*Answered.*by Luis Mora/);
    await user.click(drawer.getByRole("combobox", { name: "Filter the history" }));
    await user.click(await screen.findByRole("option", { name: "Calls" }));
    await user.click(drawer.getByRole("checkbox", { name: "Show system events" }));
    await user.type(drawer.getByRole("searchbox", { name: "Search the history" }), "nothing");
    expect(await drawer.findByText("Nothing matches.")).toBeTruthy();
    expect(asked).toEqual([
      "system=false",
      "kind=calls&system=false",
      "kind=calls",
      "kind=calls&search=nothing",
    ]);
  });

  it("shows texts, and groups entries by day", async () => {
    const { drawer } = await openDrawer([
      buildEntry({
        key: "text:2",
        kind: "text",
        direction: "inbound",
        text: "Hola",
        at: new Date().toISOString(),
      }),
      buildEntry({ key: "text:1", kind: "text", direction: "outbound", status: "failed", text: "Hello" }),
    ]);
    expect(await drawer.findByText("Text received")).toBeTruthy();
    expect(drawer.getByText("failed")).toBeTruthy();
    expect(drawer.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      "Today",
      "Thursday, March 5, 2026",
    ]);
  });

  it("loads older entries", async () => {
    server.use(
      replyTo(getTimeline, ({ request }) => {
        const isFirst = !new URL(request.url).searchParams.has("cursor");
        const body = [
          buildEntry({ key: isFirst ? "event:9" : "event:1", kind: isFirst ? "renamed" : "created" }),
        ];
        return Response.json(body, { headers: isFirst ? { "x-next-cursor": "older" } : {} });
      }),
    );
    const { user } = renderApp(button);
    await user.click(screen.getByRole("button", { name: "History of Inés Duarte" }));
    await user.click(await screen.findByRole("button", { name: "Show older entries" }));
    expect(await screen.findByText("Lead created")).toBeTruthy();
    expect(screen.getByText("Renamed")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show older entries" })).toBeNull();
  });

  it("reports an empty timeline and a failed read, and Escape returns the focus to the button", async () => {
    const { user, drawer } = await openDrawer([]);
    expect(await drawer.findByText("Nothing has happened yet")).toBeTruthy();
    await user.keyboard("{Escape}");
    const button = screen.getByRole("button", { name: "History of Inés Duarte" });
    expect(document.activeElement).toBe(button);
    server.use(refuse(getTimeline, "not_your_lead", "This lead is assigned to another sales rep."));
    await user.click(button);
    // Cached entries stay on screen; a failed first read shows the server's message.
    expect(await screen.findByRole("dialog")).toBeTruthy();
  });

  it("shows the server's message when the request is refused", async () => {
    server.use(refuse(getTimeline, "not_your_lead", "This lead is assigned to another sales rep."));
    const { user } = renderApp(button);
    await user.click(screen.getByRole("button", { name: "History of Inés Duarte" }));
    expect((await screen.findByRole("alert")).textContent).toContain("assigned to another sales rep");
    expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
  });

  it("is translated into Spanish", async () => {
    setLanguage("es");
    server.use(replyTo(getTimeline, [buildEntry({ field: "priority", before: "low", after: "high" })]));
    const { user } = renderApp(button);
    await user.click(screen.getByRole("button", { name: "Historial de Inés Duarte" }));
    expect(await screen.findByText("Cambio: Prioridad")).toBeTruthy();
    expect(screen.getByText("Alta")).toBeTruthy();
  });
});
