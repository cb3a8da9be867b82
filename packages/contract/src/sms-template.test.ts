import { describe, expect, it } from "vitest";
import { fillTemplate, unfilledField, unknownFields } from "./sms-template.ts";

const values = { first_name: "Inés", consultant: "Ana", company: null, meeting: "  " };

describe("an SMS template", () => {
  it.each([
    ["Hola {{first_name}}, soy {{ consultant }}.", "Hola Inés, soy Ana."],
    ["About {{company|your business}}", "About your business"],
    ["{{FIRST_NAME|you}}", "Inés"],
    ["On {{meeting| soon }}", "On soon"],
    ["No field: { {first_name} }", "No field: { {first_name} }"],
  ])("renders %j as %j", (body, text) => {
    expect(fillTemplate(body, values)).toBe(text);
    expect(unfilledField(text)).toBeUndefined();
  });

  it("leaves and reports a field that has neither a value nor a fallback", () => {
    const text = fillTemplate("Hi {{first_name}}, about {{company}} and {{meeting|}}", values);
    expect(text).toBe("Hi Inés, about {{company}} and {{meeting|}}");
    const place = unfilledField(text);
    expect(place).toMatchObject({ name: "company" });
    expect(text.slice(place?.start, place?.end)).toBe("{{company}}");
  });

  it("does not expand a field inside a value", () => {
    expect(fillTemplate("{{first_name}}", { ...values, first_name: "{{consultant}}" })).toBe(
      "{{consultant}}",
    );
  });

  it("reports unknown fields", () => {
    expect(unknownFields("{{first_name}} {{phone}} {{}}")).toEqual(["phone", ""]);
  });
});
