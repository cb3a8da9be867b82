import { describe, expect, it } from "vitest";
import { formatDuration, formatMoney, formatPhone, formatRelative, initialsOf } from "./format.ts";
import { setLanguage } from "./i18n.ts";

describe("formats", () => {
  it.each([
    ["+17875550142", "(787) 555-0142"],
    ["787.555.0142", "(787) 555-0142"],
    ["+1 (787) 555-0142", "(787) 555-0142"],
    ["+34 600 123 456", "+34 600 123 456"],
    ["+34600123456", "+34 600 123 456"],
    ["ext 12", "ext 12"],
  ])("show the phone %s as %s", (phone, shown) => {
    expect(formatPhone(phone)).toBe(shown);
  });

  it.each([
    [0, "0:00"],
    [59.9, "0:59"],
    [61, "1:01"],
    [3600, "60:00"],
  ])("show %s seconds as %s", (seconds, shown) => {
    expect(formatDuration(seconds)).toBe(shown);
  });

  it.each([
    ["Ana Rivera", "AR"],
    ["josé de la o", "JO"],
    ["Ana", "A"],
    ["  ", "U"],
    [null, "U"],
  ])("make the initials of %s %s", (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it("follow the language", () => {
    const now = Date.parse("2026-11-20T12:00:00Z");
    expect(formatRelative("2026-11-20T09:00:00Z", now)).toBe("3 hours ago");
    expect(formatMoney(1500)).toBe("$1,500");
    setLanguage("es");
    expect(formatRelative("2026-11-20T09:00:00Z", now)).toBe("hace 3 horas");
    expect(formatRelative("2026-11-21T12:00:00Z", now)).toBe("mañana");
  });
});
