import { expect, it } from "vitest";
import { findOwn } from "./lost-request.ts";

const at = (second: number) => new Date(Date.UTC(2026, 5, 10, 9, 0, second));
const made = (sid: string, second: number | null) => ({
  sid,
  createdAt: second === null ? null : at(second),
});

it.each([
  ["no match without candidates", [], [], [], null],
  ["the nearest of several in time", [made("a", 3), made("b", 11), made("c", 30)], [], [], "b"],
  ["not one that belongs to another request", [made("a", 10), made("b", 20)], ["a"], [], "b"],
  ["no match when all belong to others", [made("a", 10)], ["a"], [], null],
  ["not one nearer to another request", [made("a", 18)], [], [19], null],
  ["one that another request is further from", [made("a", 11)], [], [19], "a"],
  ["one equally near to another request", [made("a", 12)], [], [14], "a"],
  ["the one left when another request takes the nearer", [made("a", 19), made("b", 10)], [], [19], "b"],
  ["not one without a time", [made("a", null), made("b", 12)], [], [], "b"],
])("matching a lost request: %s", (_what, list, known, rivals, sid) => {
  const own = findOwn(list, { askedAt: at(10), known: new Set(known), rivals: rivals.map(at) });
  expect(own?.sid ?? null).toBe(sid);
});
