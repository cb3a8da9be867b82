import type pg from "pg";
import { instantsAsText } from "./instant-text.ts";

/** So many statements are prepared on each connection; further ones are planned anew each time. */
const most = 300;
const names = new Map<string, string>();

/**
 * A statement that is asked again and again, planned once a connection: planning a list costs more than reading it. For texts of few
 * shapes only, with all that varies in `values`. Its instants come as text (`isoOf`).
 */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  let name = names.get(text);
  if (!name && names.size < most) {
    name = `statement-${names.size + 1}`;
    names.set(text, name);
  }
  return { ...(name && { name }), text, values, types: instantsAsText };
}
