import { describe, expect, it } from "vitest";
import { isNamed, readSlash } from "./use-template-picker.ts";

describe("the slash command in a text", () => {
  it.each([
    ["/", { start: 0, end: 1, word: "" }],
    ["Hola /mis", { start: 5, end: 9, word: "mis" }],
    ["Line\n/a", { start: 5, end: 7, word: "a" }],
    ["24/7", null],
    ["https://example.com", null],
    ["/missed you", null],
    ["", null],
  ])("in %j is %j", (text, slash) => {
    expect(readSlash(text, text.length)).toEqual(slash);
  });

  it("is found before the caret only", () => {
    expect(readSlash("/ab cd", 3)).toEqual({ start: 0, end: 3, word: "ab" });
    expect(readSlash("/ab cd", 6)).toBeNull();
  });

  it("finds a template by any part of its name", () => {
    expect(isNamed("Te llamé", "llame")).toBe(true);
    expect(isNamed("Missed you", "YOU")).toBe(true);
    expect(isNamed("Missed you", "price")).toBe(false);
  });
});
