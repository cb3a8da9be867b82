import { describe, expect, it } from "vitest";
import { phoneKind, phoneTimeZone } from "./phone.ts";

describe("the time zone of a number's area", () => {
  it.each([
    ["+12125550100", "America/New_York"],
    ["+17875550142", "America/Puerto_Rico"],
    ["+13235550142", "America/Los_Angeles"],
    ["+18085550142", "Pacific/Honolulu"],
    ["+16025550142", "America/Phoenix"],
    // Western Kentucky: the exchange decides the zone within the area code.
    ["+12702025555", "America/Chicago"],
    ["+12705550142", "America/New_York"],
    ["+19075550142", "America/Adak&America/Anchorage"],
    ["+34612345678", "Europe/Madrid"],
    ["+34928123456", "Atlantic/Canary"],
    ["+525512345678", "America/Mexico_City"],
  ])("of %s is %s", (number, zone) => {
    expect(phoneTimeZone(number)).toBe(zone);
  });

  it.each(["+18005550142", "+442079460958", null])("of %s is unknown", (number) => {
    expect(phoneTimeZone(number)).toBeNull();
  });
});

describe("the type of a number", () => {
  it.each([
    ["+12125550100", "US", false],
    ["+17875550142", "PR", false],
    ["+14165550142", "CA", false],
    ["+18095550142", "DO", false],
    ["+19005550142", "US", true],
    ["+12129765555", "US", true],
    ["+34806123456", "ES", true],
    ["+34902123456", "ES", true],
    ["+34612345678", "ES", false],
  ])("%s: %s, premium %s", (number, country, premium) => {
    expect(phoneKind(number)).toEqual({ country, premium });
    expect(phoneKind(number)).toEqual({ country, premium });
  });
});
