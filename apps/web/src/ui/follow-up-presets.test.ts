import { describe, expect, it } from "vitest";
import { followUpPresets } from "./follow-up-picker.tsx";

describe("the follow-up presets", () => {
  it("are four hours from now, tomorrow and a week from today, at noon", () => {
    expect(followUpPresets(new Date(2026, 10, 29, 10, 30))).toEqual({
      today: new Date(2026, 10, 29, 14, 30).toISOString(),
      tomorrow: new Date(2026, 10, 30, 12).toISOString(),
      nextWeek: new Date(2026, 11, 6, 12).toISOString(),
    });
  });

  it("omit today if four hours from now is another day", () => {
    expect(followUpPresets(new Date(2026, 10, 29, 21)).today).toBeNull();
  });
});
