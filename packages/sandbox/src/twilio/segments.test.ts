import { expect, test } from "vitest";
import { segmentsOf } from "./segments.ts";

test.each([
  ["160 plain characters", "a".repeat(160), 1],
  ["161 plain characters", "a".repeat(161), 2],
  ["306 plain characters", "a".repeat(306), 2],
  ["307 plain characters", "a".repeat(307), 3],
  ["Spanish letters of the alphabet", "¿Qué año?".padEnd(160, "ñ"), 1],
  ["80 characters of the extension table", "€".repeat(80), 1],
  ["81 characters of the extension table", "€".repeat(81), 2],
  ["70 characters with an accent outside", "á".repeat(70), 1],
  ["71 characters with an accent outside", "á".padEnd(71, "a"), 2],
  ["35 emoji of two units", "😀".repeat(35), 1],
  ["36 emoji of two units", "😀".repeat(36), 2],
])("counts %s", (_name, body, segments) => {
  expect(segmentsOf(body)).toBe(segments);
});
