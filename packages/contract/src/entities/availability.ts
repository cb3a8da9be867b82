import { z } from "zod";
import { isClockTime, isTimeZone } from "../follow-up-time.ts";
import { idSchema, instantSchema } from "./fields.ts";

const clockSchema = z.string().refine(isClockTime, "Must be a time as 14:30");

/** One day's hours on the clock of their zone, 'HH:MM'; an end of 00:00 is the midnight that ends the day. */
const dayHoursSchema = z
  .object({ from: clockSchema, to: clockSchema })
  .refine(({ from, to }) => to === "00:00" || from < to, "The hours end before they begin.");
export type DayHours = z.infer<typeof dayHoursSchema>;

/** When a consultant works: for each weekday, Monday first, its hours or null for a day off. */
export const workingHoursSchema = z.object({
  /** IANA. */
  zone: z.string().refine(isTimeZone, "Must be a time zone as America/New_York"),
  days: z
    .array(dayHoursSchema.nullable())
    .length(7)
    .refine((days) => days.some((day) => day !== null), "Choose at least one working day."),
});
export type WorkingHours = z.infer<typeof workingHoursSchema>;

export const availabilityStates = ["available", "away", "outside_hours"] as const;
export type AvailabilityState = (typeof availabilityStates)[number];

/** Whether somebody can be reached, and what says so. */
export const availabilitySchema = z.object({
  state: z.enum(availabilityStates),
  /** When this state ends by itself; null where it does not. */
  until: z.string().nullable(),
  /** Null for every hour. */
  hours: workingHoursSchema.nullable(),
  /** Who takes the calls of callers meanwhile. */
  standIn: z.object({ id: z.number(), name: z.string() }).nullable(),
});
export type Availability = z.infer<typeof availabilitySchema>;

/** What is sent of it changes; `awayUntil` goes with `away`, null is until one says otherwise. */
export const availabilityChangesSchema = z.strictObject({
  away: z.boolean().optional(),
  awayUntil: instantSchema.nullable().optional(),
  hours: workingHoursSchema.nullable().optional(),
  standInId: idSchema.nullable().optional(),
});
export type AvailabilityChanges = z.infer<typeof availabilityChangesSchema>;
