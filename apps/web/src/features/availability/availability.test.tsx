import type { Availability } from "@portal/contract/entities/availability";
import { listSalesReps } from "@portal/contract/routes/assignment";
import { getAvailability, updateAvailability } from "@portal/contract/routes/availability";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { buildUser } from "../../testing/builders.ts";
import { renderApp } from "../../testing/render.tsx";
import { replyTo, server } from "../../testing/server.ts";
import { AvailabilitySection } from "../identity/settings/own-sections.tsx";
import AvailabilityControl from "./availability-control.tsx";
import { awayUntil } from "./away-values.ts";
import { readAgainMs } from "./queries.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("../../ui/select-list.tsx"));

const available: Availability = { state: "available", until: null, hours: null, standIn: null };
const nine = { from: "09:00", to: "17:30" };
const hours = { zone: "America/New_York", days: [nine, nine, nine, nine, nine, null, null] };

/** A server that stores the changes it receives. */
function serve(first: Availability): unknown[] {
  let now = first;
  const sent: unknown[] = [];
  server.use(
    replyTo(getAvailability, () => now),
    replyTo(listSalesReps, [
      { id: 1, name: "Ana Rivera", email: "ana@example.com" },
      { id: 2, name: "Luis Torres", email: "luis@example.com" },
    ]),
    replyTo(updateAvailability, ({ body }) => {
      sent.push(body);
      const { away, awayUntil: until, ...rest } = body as { away?: boolean; awayUntil?: string | null };
      if (away !== undefined) now = { ...now, state: away ? "away" : "available", until: until ?? null };
      now = { ...now, ...("hours" in rest && { hours: rest.hours as Availability["hours"] }) };
      return now;
    }),
  );
  return sent;
}

describe("the availability control in the top bar", () => {
  it("sets the user away with one press, by mouse or keyboard, optionally until a time, and back with another", async () => {
    const sent = serve(available);
    const { user } = renderApp(<AvailabilityControl />, { currentUser: buildUser() });
    await user.click(await screen.findByRole("button", { name: "Available" }));
    await waitFor(() => expect(sent).toEqual([{ away: true }]));
    const menu = within(await screen.findByRole("menu"));
    await user.click(menu.getByRole("menuitem", { name: "30 minutes" }));
    const button = await screen.findByRole("button", { name: /^Away until / });
    expect(sent[1]).toMatchObject({ away: true, awayUntil: expect.any(String) });
    button.focus();
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("button", { name: "Available" })).toBeTruthy();
    expect(sent[2]).toEqual({ away: false });
  });

  it("shows that it is outside working hours and until when, and does not change the state on a press", async () => {
    const sent = serve({ ...available, state: "outside_hours", until: "2090-01-02T08:00:00.000Z", hours });
    const { user } = renderApp(<AvailabilityControl />, { currentUser: buildUser() });
    await user.click(await screen.findByRole("button", { name: /^Outside your hours until / }));
    expect(await screen.findByRole("menuitem", { name: "Until I'm back" })).toBeTruthy();
    expect(sent).toEqual([]);
  });
});

it("shows until when a user is away", () => {
  // A Friday.
  const now = new Date(2026, 2, 6, 15, 0);
  const own = { ...available, hours };
  expect(awayUntil("whenBack", own, now)).toBeNull();
  expect(awayUntil("halfHour", own, now)).toEqual(new Date(2026, 2, 6, 15, 30));
  expect(awayUntil("endOfDay", available, now)).toEqual(new Date(2026, 2, 7));
  const until = "2026-03-06T22:30:00.000Z";
  expect(awayUntil("endOfDay", { ...own, until }, now)?.toISOString()).toBe(until);
  expect(awayUntil("tomorrow", available, now)).toEqual(new Date(2026, 2, 7, 8, 0));
  // Monday is the next working day, after the change of the clocks.
  expect(awayUntil("tomorrow", own, now)?.toISOString()).toBe("2026-03-09T13:00:00.000Z");
});

it("refetches a state when it ends, tolerating clock differences and the browser's timer limit", () => {
  const now = Date.parse("2026-03-06T15:00:00Z");
  expect(readAgainMs(null, now)).toBe(false);
  expect(readAgainMs("2026-03-06T15:10:00Z", now)).toBe(600_001);
  expect(readAgainMs("2026-03-06T14:59:00Z", now)).toBe(5_000);
  expect(readAgainMs("2090-03-06T15:00:00Z", now)).toBe(3_600_000);
});

it("saves working hours by weekday, refuses an end before the start, and sets a stand-in", async () => {
  const sent = serve(available);
  const { user } = renderApp(<AvailabilitySection userId={1} />, { currentUser: buildUser() });
  await user.click(await screen.findByRole("switch", { name: "Keep working hours" }));
  await user.click(screen.getByRole("switch", { name: "Tue" }));
  const to = screen.getByLabelText("Mon, to");
  await user.clear(to);
  await user.type(to, "08:00");
  expect(screen.getByRole("alert").textContent).toBe("The hours end before they begin.");
  const save = screen.getByRole("button", { name: "Save Working Hours" });
  await user.click(save);
  expect(sent).toEqual([]);
  await user.clear(to);
  await user.type(to, "17:30");
  await user.click(screen.getByRole("combobox", { name: /Stand-in/ }));
  expect(screen.queryByRole("option", { name: "Ana Rivera" })).toBeNull();
  await user.click(await screen.findByRole("option", { name: "Luis Torres" }));
  await user.click(save);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    standInId: 2,
    hours: { days: [{ from: "09:00", to: "17:30" }, null, {}, {}, {}, null, null] },
  });
});
