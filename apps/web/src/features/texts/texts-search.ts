import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import { messageDirections } from "@portal/contract/entities/message";
import { isDay } from "../../lib/is-day.ts";

const ranges = ["week", "month"] as const;
const largestId = 2_147_483_647;

/** Which texts the address asks for, as a report's figure opened them; an absent value means all. */
export interface TextsSearch {
  readonly range?: (typeof ranges)[number] | undefined;
  /** A day of the organisation's clock, or the first and the last of several. */
  readonly day?: string | undefined;
  readonly until?: string | undefined;
  /** Who sent them. */
  readonly rep?: RepFilter | undefined;
  readonly direction?: (typeof messageDirections)[number] | undefined;
}

/** Reads the address; what it does not know is left out. */
export function parseTextsSearch(search: Record<string, unknown>): TextsSearch {
  const rep = Number(search.rep);
  const day = isDay(search.day) ? search.day : undefined;
  return {
    range: ranges.find((range) => range === search.range),
    day,
    until: day && isDay(search.until) && search.until > day ? search.until : undefined,
    rep:
      search.rep === anyRep ? anyRep : Number.isInteger(rep) && rep > 0 && rep <= largestId ? rep : undefined,
    direction: messageDirections.find((direction) => direction === search.direction),
  };
}
