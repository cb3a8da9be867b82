import { describe, expect, it } from "vitest";
import { followUpInstant, followUpState, sameFollowUpDay } from "./follow-up.ts";

const now = new Date(2026, 10, 20, 23, 59, 58);

describe("a follow-up date", () => {
  it("is overdue from the day after", () => {
    expect(followUpState(new Date(2026, 10, 19, 23, 59).toISOString(), now)).toBe("overdue");
  });

  it("is today for any hour of today, past ones too", () => {
    expect(followUpState(new Date(2026, 10, 20, 0, 0).toISOString(), now)).toBe("today");
  });

  it("is upcoming from tomorrow on", () => {
    expect(followUpState(new Date(2026, 10, 21, 0, 0).toISOString(), now)).toBe("upcoming");
  });

  it("is stored as noon of the chosen day", () => {
    const stored = new Date(followUpInstant(new Date(2026, 10, 21)));
    expect([stored.getDate(), stored.getHours()]).toEqual([21, 12]);
  });

  it("is unchanged when the same day is chosen again", () => {
    const morning = new Date(2026, 10, 21, 8).toISOString();
    expect(sameFollowUpDay(morning, followUpInstant(new Date(2026, 10, 21)))).toBe(true);
    expect(sameFollowUpDay(morning, null)).toBe(false);
    expect(sameFollowUpDay(null, null)).toBe(true);
  });
});
