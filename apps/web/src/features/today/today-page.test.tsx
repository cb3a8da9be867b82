import type { TodayEntry, TodayReason } from "@portal/contract/entities/today";
import { countToday, listToday } from "@portal/contract/routes/today";
import { act, screen, within } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { replyTo, server } from "../../testing/server.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("./today-page.tsx"));
beforeEach(() => serveLeadsPage());

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const reason = (over: Partial<TodayReason>): TodayReason => ({
  kind: "promise",
  at: ago(20),
  overdue: false,
  rule: null,
  arrival: null,
  ...over,
});
const entry = (id: number, name: string, over: Partial<TodayReason>, more: Partial<TodayEntry> = {}) => ({
  lead: buildLead({ id, name }),
  reasons: [reason(over)],
  putOff: null,
  isLater: false,
  ...more,
});

const ines = entry(7, "Inés Duarte", { overdue: true });
const ramon = entry(8, "Ramón Ibarra", {
  kind: "retry",
  rule: { outcome: "no_answer", tries: 2, of: 4 },
});
const lucia = entry(
  9,
  "Lucía Peña",
  { kind: "new_lead", at: ago(-3), arrival: { at: ago(60), targetAt: ago(55), overdue: true } },
  { putOff: { reason: "outside_hours", until: ago(-90) }, isLater: true },
);

function serve(entries: TodayEntry[]) {
  const later = entries.filter(({ isLater }) => isLater).length;
  const counts = { now: entries.length - later, overdue: 1, putOff: later };
  server.use(
    replyTo(listToday, { entries, counts, firstCallMinutes: 5, more: [], now: ago(0) }),
    replyTo(countToday, counts),
  );
}

const rowOf = (name: string) => screen.getByRole("link", { name }).closest("li") as HTMLElement;

it("lists due leads with their reason and overdue ones first, then deferred ones with time and reason", async () => {
  serve([ines, ramon, lucia]);
  renderPortal("/today");
  const now = await screen.findByRole("list", { name: "Now" });
  expect(within(now).getAllByRole("listitem")).toEqual([rowOf("Inés Duarte"), rowOf("Ramón Ibarra")]);
  // Soon after midnight the day stands before the time.
  expect(rowOf("Inés Duarte").textContent).toMatch(/OverdueCall promised for .*\d:\d\d/);
  expect(rowOf("Ramón Ibarra").textContent).toContain("Next try: No Answer, 2 tries of 4");
  const later = within(screen.getByRole("list", { name: "Put off" })).getByRole("listitem");
  expect(later.textContent).toMatch(/New lead: call by .* · came in 1 hour ago/);
  expect(later.textContent).toMatch(/Outside this lead's hours\. Allowed again: .*, your time\./);
  expect(screen.getByText("2 to do now, 1 later")).toBeDefined();
  const nav = screen.getByRole("navigation", { name: "Main navigation" });
  expect(await within(nav).findByText("2 to do now")).toBeDefined();
});

it("shows a time only for a follow-up that has one", async () => {
  const putOff = { reason: "promised" as const, until: ago(-600) };
  const day = { nextFollowUpDate: "2026-07-10T12:00:00.000Z" };
  const text = entry(10, "Olga Paz", { kind: "text" }, { putOff });
  serve([
    { ...text, lead: buildLead({ id: 10, name: "Olga Paz", ...day, nextFollowUpTime: null }) },
    { ...text, lead: buildLead({ id: 11, name: "Raúl Paz", ...day, nextFollowUpTime: "09:00" }) },
  ]);
  renderPortal("/today");
  await screen.findByRole("list", { name: "Now" });
  expect(rowOf("Olga Paz").textContent).toContain("Not before the follow-up of Jul 10, 2026");
  expect(rowOf("Raúl Paz").textContent).toMatch(/Not before the promised time, .*\d:\d\d/);
});

it("keeps the order while the user works: done rows stay, new ones wait behind a button", async () => {
  serve([ines, ramon]);
  const { user, client } = renderPortal("/today");
  await screen.findByRole("list", { name: "Now" });
  serve([{ ...lucia, putOff: null, isLater: false }, ramon]);
  await act(() => client.invalidateQueries({ queryKey: [listToday.path] }));
  const show = await screen.findByRole("button", { name: "1 new to do" });
  expect(rowOf("Inés Duarte").textContent).toContain("Done");
  expect(within(rowOf("Inés Duarte")).queryByRole("button")).toBeNull();
  expect(screen.queryByText("Lucía Peña")).toBeNull();
  await user.click(show);
  expect(screen.queryByText("Inés Duarte")).toBeNull();
  expect(rowOf("Lucía Peña")).toBeDefined();
});

it("retries a failed load, shows an empty state, and then new leads without a press", async () => {
  server.use(replyTo(listToday, () => Response.json({}, { status: 503 })));
  const { client, user } = renderPortal("/today");
  expect(await screen.findByText("What to do next could not be loaded")).toBeDefined();
  serve([]);
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Nothing to do right now")).toBeDefined();
  serve([ines]);
  await act(() => client.invalidateQueries({ queryKey: [listToday.path] }));
  expect(await screen.findByRole("link", { name: "Inés Duarte" })).toBeDefined();
});
