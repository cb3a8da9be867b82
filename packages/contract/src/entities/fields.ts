import { z } from "zod";
import { isClockTime, isTimeZone } from "../follow-up-time.ts";

const largestId = 2_147_483_647;

/** A row's number, from a path or a body. PostgreSQL integers end at 2^31 - 1. */
export const idSchema = z
  .union([z.number(), z.string().regex(/^\d{1,10}$/, "Must be a number")])
  .transform(Number)
  .pipe(z.number().int().positive().max(largestId));

/** At most 1,000 rows' numbers with commas between, from a query. */
export const idListSchema = z
  .string()
  .regex(/^\d{1,10}(,\d{1,10}){0,999}$/, "Use numbers with commas between, at most 1,000")
  .transform((ids) => ids.split(",").map(Number))
  .refine((ids) => ids.every((id) => id <= largestId), `Numbers end at ${largestId}`);

/** An empty value of a query: no filter. */
export const noFilter = z.literal("").transform(() => undefined);

/** One consultant, or `any` of them: not what nobody did. */
export const anyRep = "any";
export const repFilterSchema = z.union([noFilter, z.literal(anyRep), idSchema]);
export type RepFilter = number | typeof anyRep;

/** Instant as ISO 8601 with zone, for example 2026-11-20T09:00:00.000Z. */
export const instantSchema = z.iso.datetime({ offset: true });

/** The time of a follow-up, 'HH:MM' of 24 hours, and the IANA zone whose clocks it is on. */
export const followUpTimeFields = {
  nextFollowUpTime: z.string().refine(isClockTime, "Must be a time as 14:30").nullable().optional(),
  nextFollowUpZone: z
    .string()
    .refine(isTimeZone, "Must be a time zone as America/New_York")
    .nullable()
    .optional(),
};

/** Plain text as PostgreSQL can keep it: no U+0000, no lone surrogate. */
export function text(maxLength: number) {
  return z
    .string()
    .max(maxLength, `Must be at most ${maxLength} characters`)
    .refine(
      (value) => !value.includes("\u0000") && value.isWellFormed(),
      "Contains characters that cannot be stored",
    );
}

/** Query part shared by every list: how many rows, and where the last page ended. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** Opaque; from the `x-next-cursor` header of the page before. Holds the sort key: a name of a thousand letters too. */
  cursor: text(8_000).optional(),
});

/** Headers of a page: total rows of the filter (capped, then with a plus) and the cursor of the next page. */
export const pageHeaders = { total: "x-total-count", cursor: "x-next-cursor" } as const;

/** A day of the calendar, YYYY-MM-DD, that PostgreSQL can count with. */
export const daySchema = z.iso.date().refine((day) => day >= "0001", "Must be a day of our era");
