import { expect, it } from "vitest";
import { findOwn } from "./lost-request.ts";

const at = (second: number) => new Date(Date.UTC(2026, 5, 10, 9, 0, second));
const made = (sid: string, second: number | null) => ({
  sid,
  createdAt: second === null ? null : at(second),
});

it.each([
  ["nothing was made", [], [], [], null],
  ["the nearest of several, before or after", [made("a", 3), made("b", 11), made("c", 30)], [], [], "b"],
  ["not what is known as another's", [made("a", 10), made("b", 20)], ["a"], [], "b"],
  ["nothing but what is known", [made("a", 10)], ["a"], [], null],
  ["what another request is nearer to is left to it", [made("a", 18)], [], [19], null],
  ["another request is further away", [made("a", 11)], [], [19], "a"],
  ["of two equally near requests each may take it", [made("a", 12)], [], [14], "a"],
  ["the other takes the one, this the other", [made("a", 19), made("b", 10)], [], [19], "b"],
  ["without a time it is nearest to nobody", [made("a", null), made("b", 12)], [], [], "b"],
])("matching a lost request: %s", (_what, list, known, rivals, sid) => {
  const own = findOwn(list, { askedAt: at(10), known: new Set(known), rivals: rivals.map(at) });
  expect(own?.sid ?? null).toBe(sid);
});
