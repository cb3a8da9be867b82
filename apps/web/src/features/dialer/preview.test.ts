import { afterEach, describe, expect, it } from "vitest";
import { messagesOf, setLanguage } from "../../lib/i18n.ts";
import { groupLabel } from "./components/preview.tsx";
import { previewMessages, skipCountMessages } from "./setup-messages.ts";

const now = Date.parse("2026-11-20T20:00:00Z");
const label = (group: Parameters<typeof groupLabel>[0]) =>
  groupLabel(group, messagesOf(previewMessages), messagesOf(skipCountMessages), now);
const later = (allowedAt: string, timeZone = "America/Los_Angeles", count = 6) =>
  label({ reason: "outside_hours", count, allowedAt, timeZone });

afterEach(() => setLanguage("en"));

describe("the groups of a preview", () => {
  it("show the hour in the lead's zone, and the zone's name", () => {
    expect(later("2026-11-21T00:00:00Z")).toBe("6 later (from 4:00 PM Pacific Time)");
    setLanguage("es");
    expect(later("2026-11-21T00:00:00Z")).toMatch(
      /^6 más tarde \(desde las 4:00\sp\.\s?m\., hora del Pacífico\)$/,
    );
  });

  it("show weekday and date when the day differs in the lead's zone", () => {
    expect(later("2026-11-21T16:00:00Z")).toBe("6 later (from Sat, Nov 21, 8:00 AM Pacific Time)");
  });

  it.each([
    ["opted_out", 1, "1 opted out", "1 pidió no ser contactado"],
    ["opted_out", 3, "3 opted out", "3 pidieron no ser contactados"],
    ["converted", 1, "1 already a client", "1 ya es cliente"],
    ["converted", 2, "2 already clients", "2 ya son clientes"],
  ] as const)("pluralize %s %i by the rules of each language", (reason, count, en, es) => {
    const group = { reason, count, allowedAt: null, timeZone: null };
    expect(label(group)).toBe(en);
    setLanguage("es");
    expect(label(group)).toBe(es);
  });
});
