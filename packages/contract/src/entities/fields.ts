import { z } from "zod";
import { isClockTime, isTimeZone } from "../follow-up-time.ts";

const largestId = 2_147_483_647;

/** A row's id from a path or a body. PostgreSQL integers end at 2^31 - 1. */
export const idSchema = z
  .union([z.number(), z.string().regex(/^\d{1,10}$/, "Must be a number")])
  .transform(Number)
  .pipe(z.number().int().positive().max(largestId));

/** Up to 1,000 comma-separated row ids, from a query string. */
export const idListSchema = z
  .string()
  .regex(/^\d{1,10}(,\d{1,10}){0,999}$/, "Use up to 1,000 numbers separated by commas")
  .transform((ids) => ids.split(",").map(Number))
  .refine((ids) => ids.every((id) => id <= largestId), `Numbers end at ${largestId}`);

/** An empty query parameter: no filter. */
export const noFilter = z.literal("").transform(() => undefined);

/** One consultant, or `any` consultant, which excludes rows without one. */
export const anyRep = "any";
export const repFilterSchema = z.union([noFilter, z.literal(anyRep), idSchema]);
export type RepFilter = number | typeof anyRep;

/** ISO 8601 timestamp with offset, for example 2026-11-20T09:00:00.000Z. */
export const instantSchema = z.iso.datetime({ offset: true });

/** The time of a follow-up, 'HH:MM' (24 hours), and the IANA zone it is in. */
export const followUpTimeFields = {
  nextFollowUpTime: z.string().refine(isClockTime, "Must be a time such as 14:30").nullable().optional(),
  nextFollowUpZone: z
    .string()
    .refine(isTimeZone, "Must be a time zone such as America/New_York")
    .nullable()
    .optional(),
};

/** Text that PostgreSQL can store: no U+0000, no lone surrogates. */
export function text(maxLength: number) {
  return z
    .string()
    .max(maxLength, `Must be at most ${maxLength} characters`)
    .refine(
      (value) => !value.includes("\u0000") && value.isWellFormed(),
      "Contains characters that cannot be stored",
    );
}

/** Query parameters of every list: page size, and the cursor where the last page ended. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** Opaque; from the `x-next-cursor` header of the previous page. It contains the sort key, which may be a long name. */
  cursor: text(8_000).optional(),
});

/** Response headers of a page: number of rows that match the filter (with a plus if capped), and the cursor of the next page. */
export const pageHeaders = { total: "x-total-count", cursor: "x-next-cursor" } as const;

/** A calendar day, YYYY-MM-DD, within the range PostgreSQL supports. */
export const daySchema = z.iso.date().refine((day) => day >= "0001", "Must be a date in the year 1 or later");
