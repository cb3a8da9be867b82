import type { Availability, AvailabilityChanges, WorkingHours } from "@portal/contract/entities/availability";
import { availabilityAt } from "../../domain/reachability.ts";
import type { Database, Db, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import {
  findReachability,
  insertAbsence,
  isActiveConsultant,
  lockAvailability,
  moveAbsenceEnd,
  type ReachabilityRow,
  updateHours,
} from "./repository.ts";

/** The user's current availability for the API. */
export function presentAvailability(row: ReachabilityRow): Availability {
  const { state, until } = availabilityAt(row, new Date());
  return { state, until: until?.toISOString() ?? null, hours: row.hours, standIn: row.standIn };
}

export async function getAvailability(db: Db, userId: number): Promise<Availability> {
  return presentAvailability(await findReachability(db, userId, new Date()));
}

const weekDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** Working hours for the audit log: the days with hours, by name. */
const auditHours = (hours: WorkingHours | null) =>
  hours && {
    zone: hours.zone,
    ...Object.fromEntries(
      weekDays.flatMap((name, index) => {
        const day = hours.days[index];
        return day ? [[name, `${day.from}-${day.to}`]] : [];
      }),
    ),
  };

/** The values that the audit log compares. */
const auditValues = ({ state, until, hours, standIn }: Availability) => ({
  away: state === "away",
  awayUntil: state === "away" ? until : null,
  workingHours: auditHours(hours),
  standIn: standIn?.name ?? null,
});

/** Errors: `invalid`. */
async function checkStandIn(tx: Tx, userId: number, standInId: number | null | undefined): Promise<void> {
  if (standInId === undefined || standInId === null) return;
  if (standInId === userId) throw new AppError("invalid", "Nobody stands in for themselves.");
  if (!(await isActiveConsultant(tx, standInId)))
    throw new AppError("invalid", "Choose an active consultant as the stand-in.");
}

/** Errors: `invalid`. */
function checkAwayUntil({ away, awayUntil }: AvailabilityChanges, now: Date): Date | null {
  if (awayUntil === undefined || awayUntil === null) return null;
  if (away !== true) throw new AppError("invalid", "Only an absence has a time to be back at.");
  const until = new Date(awayUntil);
  if (until <= now) throw new AppError("invalid", "Choose a time to be back at that is still to come.");
  return until;
}

/**
 * Applies the given changes to a user's availability; returns the changed values by name, before and after, and the new availability.
 * Errors: `invalid`.
 */
export async function changeAvailability(
  tx: Tx,
  userId: number,
  sent: AvailabilityChanges,
): Promise<{ changes: Record<string, { before: unknown; after: unknown }>; availability: Availability }> {
  const now = new Date();
  const until = checkAwayUntil(sent, now);
  await checkStandIn(tx, userId, sent.standInId);
  await lockAvailability(tx, userId);
  const before = auditValues(await getAvailability(tx, userId));
  if (sent.away !== undefined) {
    const isMoved = await moveAbsenceEnd(tx, { userId, now, until: sent.away ? until : now });
    if (sent.away && !isMoved) await insertAbsence(tx, { userId, startedAt: now, until });
  }
  if (sent.hours !== undefined || sent.standInId !== undefined) {
    await updateHours(tx, {
      userId,
      ...(sent.hours !== undefined && { workingHours: sent.hours }),
      ...(sent.standInId !== undefined && { standInId: sent.standInId }),
    });
  }
  const availability = await getAvailability(tx, userId);
  const after = auditValues(availability);
  const names = (Object.keys(after) as (keyof typeof after)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length > 0) await publishEvent(tx, { topic: "availability", id: userId, audience: [userId] });
  return {
    changes: Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }])),
    availability,
  };
}

/**
 * Applies the given changes to the actor's own availability. Absences are not recorded in the audit log; settings are, like all settings.
 * Errors: `invalid`.
 */
export async function updateOwnAvailability(
  { database }: { database: Database },
  { actor, ...sent }: AvailabilityChanges & { actor: AuthSession },
): Promise<Availability> {
  const { userId } = actor;
  return database.transaction(async (tx) => {
    const { changes, availability } = await changeAvailability(tx, userId, sent);
    const fields = Object.keys(changes).filter((name) => name === "workingHours" || name === "standIn");
    if (fields.length > 0) await recordAudit(tx, { userId, action: "profile-change", data: { fields } });
    return availability;
  });
}

/** Ends the user's absence, because they have started to call. */
export async function endAbsence(tx: Tx, userId: number): Promise<void> {
  const now = new Date();
  if (!(await moveAbsenceEnd(tx, { userId, now, until: now }))) return;
  await publishEvent(tx, { topic: "availability", id: userId, audience: [userId] });
}
