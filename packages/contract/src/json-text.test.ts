import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonText } from "./json-text.ts";

const levels = 20_000;
const deep = (inner: string) => `${'{"a":['.repeat(levels)}${inner}${"]}".repeat(levels)}`;

it("writes deeply nested values, and all others as JSON.stringify does", () => {
  expect(jsonText(JSON.parse(deep("7")))).toBe(deep("7"));
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(jsonText(JSON.parse(deep(text)))).toBe(deep(text));
    }),
    { numRuns: 5 },
  );
});
