import { describe, expect, it } from "vitest";
import {
  formatDuration,
  formatMoney,
  formatOrdinal,
  formatPhone,
  formatRelative,
  formatTotal,
  initialsOf,
} from "./format.ts";
import { formatMean, formatPercent } from "./format-percent.ts";
import { formatZoneCity } from "./format-zone.ts";
import { setLanguage } from "./i18n.ts";

describe("formats", () => {
  it("use ordinals in both languages", () => {
    const shown = [1, 2, 3, 4, 11, 12, 21, 103].map(formatOrdinal).join(" ");
    expect(shown).toBe("1st 2nd 3rd 4th 11th 12th 21st 103rd");
    setLanguage("es");
    expect([1, 2, 11].map(formatOrdinal).join(" ")).toBe("1.º 2.º 11.º");
  });

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
  ])("derive the initials of %s as %s", (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it.each([
    [0, "0"],
    [1 / 1_619, "<0.01"],
    [34 / 1_619, "0.02"],
    [0.5, "0.5"],
    [2.449, "2.4"],
    [1_586, "1,586"],
  ])("show the mean %s as %s", (mean, shown) => {
    expect(formatMean(mean)).toBe(shown);
  });

  it("show the same percentage on cards and in columns, aligned in columns", () => {
    const percents = [0, 0.02, 5.5556, 50, 99.99, 100, 250];
    expect(percents.map((percent) => formatPercent(percent))).toEqual([
      "0%",
      "<0.1%",
      "5.6%",
      "50%",
      ">99.9%",
      "100%",
      "250%",
    ]);
    expect(percents.map((percent) => formatPercent(percent, { inColumn: true }))).toEqual([
      "0.0%",
      "<0.1%",
      "5.6%",
      "50.0%",
      ">99.9%",
      "100.0%",
      "250.0%",
    ]);
  });

  it("show totals of lists with separators, capped ones too", () => {
    expect(["7", "1586", "1000+", 12_000].map(formatTotal)).toEqual(["7", "1,586", "1,000+", "12,000"]);
  });

  it("name a zone's city in both languages", () => {
    const zones = ["America/New_York", "America/Mexico_City", "America/Puerto_Rico", "UTC"];
    expect(zones.map(formatZoneCity)).toEqual(["New York", "Mexico City", "Puerto Rico", "UTC"]);
    setLanguage("es");
    expect(zones.map(formatZoneCity)).toEqual(["Nueva York", "Ciudad de México", "Puerto Rico", "UTC"]);
  });

  it("follow the chosen language", () => {
    const now = Date.parse("2026-11-20T12:00:00Z");
    expect(formatRelative("2026-11-20T09:00:00Z", now)).toBe("3 hours ago");
    expect(formatMoney(1500)).toBe("$1,500");
    setLanguage("es");
    expect(formatRelative("2026-11-20T09:00:00Z", now)).toBe("hace 3 horas");
    expect(formatRelative("2026-11-21T12:00:00Z", now)).toBe("mañana");
  });
});
