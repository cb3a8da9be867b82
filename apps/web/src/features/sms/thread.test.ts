import { describe, expect, it } from "vitest";
import { byDay, failureText, iconOf, nearDay } from "./components/thread.tsx";

describe("a thread", () => {
  it.each([
    ["requested", "pending"],
    ["queued", "pending"],
    ["sending", "pending"],
    ["sent", "sent"],
    ["delivered", "delivered"],
    ["undelivered", "failed"],
    ["failed", "failed"],
  ] as const)("shows %s as %s", (status, icon) => {
    expect(iconOf(status)).toBe(icon);
  });

  it("shows a failure in the user's language", () => {
    const message = { failure: "Server's words", errorCode: 30005 };
    expect(failureText(message, "en")).toBe("Server's words");
    expect(failureText(message, "es")).toBe("Este número no está en servicio.");
    expect(failureText({ failure: "?", errorCode: 4 }, "es")).toContain("no se entregó");
    expect(failureText({ failure: null, errorCode: null }, "es")).toBeNull();
  });

  it("is grouped by calendar day", () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
    const days = byDay([{ createdAt: at(18, 23) }, { createdAt: at(19, 0) }, { createdAt: at(19, 9) }]);
    expect(days.map(({ items }) => items.length)).toEqual([1, 2]);
    const now = new Date(2026, 10, 20, 0, 5);
    expect(nearDay(at(20, 0), now)).toBe("today");
    expect(nearDay(at(19, 23), now)).toBe("yesterday");
    expect(nearDay(at(18, 23), now)).toBeNull();
  });
});
