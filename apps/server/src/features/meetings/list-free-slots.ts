import type { RouteResponse } from "@portal/contract/route";
import type { listFreeSlots as contract } from "@portal/contract/routes/meetings";
import { freeSlots, slotHorizon } from "../../domain/free-slots.ts";
import { findReachability } from "../availability/repository.ts";
import { googleStatus } from "./google-calendar/service.ts";
import { listBusyTimes } from "./repository.ts";
import type { MeetingsContext } from "./service.ts";

const minuteMs = 60_000;
const shownDays = 3;
const slotsPerDay = 4;

/** When a consultant is free for a meeting, by what is known here; Google is not asked. */
export async function listFreeSlots(
  { database, google }: MeetingsContext,
  input: { userId: number; minutes: number; zone: string; leadZone: string | null },
): Promise<RouteResponse<typeof contract>> {
  const { userId, minutes, zone, leadZone } = input;
  const { db } = database;
  const now = new Date();
  const until = slotHorizon(now, zone);
  const reachability = await findReachability(db, userId, now);
  const busy = await listBusyTimes(db, { userId, from: now, until });
  const { state, lastSyncedAt } = await googleStatus(google, userId);
  const search = { reachability, busy, now, zone, leadZone, minutes, days: shownDays, perDay: slotsPerDay };
  return {
    slots: freeSlots(search).map((start) => ({
      startTime: start.toISOString(),
      endTime: new Date(start.getTime() + minutes * minuteMs).toISOString(),
    })),
    google: state,
    readAt: state === "connected" || state === "disconnected" ? lastSyncedAt : null,
  };
}
