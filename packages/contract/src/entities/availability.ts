import { z } from "zod";
import { isClockTime, isTimeZone } from "../follow-up-time.ts";
import { idSchema, instantSchema } from "./fields.ts";

const clockSchema = z.string().refine(isClockTime, "Must be a time such as 14:30");

/** One day's hours, 'HH:MM' in the local time of the zone. An end of 00:00 is midnight at the end of the day. */
const dayHoursSchema = z
  .object({ from: clockSchema, to: clockSchema })
  .refine(({ from, to }) => to === "00:00" || from < to, "The hours end before they begin.");
export type DayHours = z.infer<typeof dayHoursSchema>;

/** A consultant's working hours: one entry per weekday, Monday first; null for a day off. */
export const workingHoursSchema = z.object({
  /** IANA time zone. */
  zone: z.string().refine(isTimeZone, "Must be a time zone such as America/New_York"),
  days: z
    .array(dayHoursSchema.nullable())
    .length(7)
    .refine((days) => days.some((day) => day !== null), "Choose at least one working day."),
});
export type WorkingHours = z.infer<typeof workingHoursSchema>;

export const availabilityStates = ["available", "away", "outside_hours"] as const;
export type AvailabilityState = (typeof availabilityStates)[number];

/** A person's availability and what determines it. */
export const availabilitySchema = z.object({
  state: z.enum(availabilityStates),
  /** When this state ends automatically; null if it does not. */
  until: z.string().nullable(),
  /** Null if no working hours are set: available at any hour. */
  hours: workingHoursSchema.nullable(),
  /** The person who receives inbound calls in the meantime; null if none. */
  standIn: z.object({ id: z.number(), name: z.string() }).nullable(),
});
export type Availability = z.infer<typeof availabilitySchema>;

/** Fields to change; omitted fields stay as they are. `awayUntil` applies with `away`; null means until changed. */
export const availabilityChangesSchema = z.strictObject({
  away: z.boolean().optional(),
  awayUntil: instantSchema.nullable().optional(),
  hours: workingHoursSchema.nullable().optional(),
  standInId: idSchema.nullable().optional(),
});
export type AvailabilityChanges = z.infer<typeof availabilityChangesSchema>;
