import { numberOr } from "../number-or.ts";

export type Query = Record<string, string | undefined>;

/** One page of a Twilio list, with the links that the SDK follows. `path` is without the sandbox's own prefix. */
export function page<Row>(input: {
  name: string;
  path: string;
  query: Query;
  rows: Row[];
  present: (row: Row) => Record<string, unknown>;
}): Record<string, unknown> {
  const { name, path, query, rows, present } = input;
  const size = Math.min(1_000, Math.max(1, numberOr(query.PageSize, 50)));
  const shown = rows.map(present);
  const number = Math.max(0, numberOr(query.Page, 0));
  const after = query.PageToken?.replace(/^PA/, "");
  const tokenIndex = after ? shown.findIndex((row) => row.sid === after) : -1;
  const start = tokenIndex >= 0 ? tokenIndex + 1 : number * size;
  const slice = shown.slice(start, start + size);
  const link = (changes: Query): string => {
    const given = Object.entries({
      ...query,
      PageSize: String(size),
      Page: "0",
      PageToken: undefined,
      ...changes,
    });
    const params = new URLSearchParams(
      given.filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return `${path}?${params}`;
  };
  const last = slice.at(-1);
  return {
    [name]: slice,
    page: number,
    page_size: size,
    start,
    end: start + Math.max(0, slice.length - 1),
    uri: link({ Page: String(number), PageToken: query.PageToken }),
    first_page_uri: link({}),
    next_page_uri:
      start + size < shown.length
        ? link({ Page: String(number + 1), PageToken: `PA${String(last?.sid)}` })
        : null,
    previous_page_uri: number > 0 ? link({ Page: String(number - 1) }) : null,
  };
}

/** Whether a time passes the `Name`, `Name<` and `Name>` filters of a list; `Name` means a day in UTC, as does a date alone. */
export function passesDate(query: Query, name: string, time: number): boolean {
  const on = query[name];
  const before = query[`${name}<`];
  const after = query[`${name}>`];
  if (on && new Date(time).toISOString().slice(0, 10) !== on.slice(0, 10)) return false;
  if (before && time > endOf(before)) return false;
  return !(after && time < startOf(after));
}

const DAY_MS = 86_400_000;

function startOf(text: string): number {
  return Date.parse(text);
}

function endOf(text: string): number {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) + DAY_MS : Date.parse(text) + 999;
}
