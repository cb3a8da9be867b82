import { describe, expect, it } from "vitest";
import { fillTemplate, unfilledField, unknownFields } from "./sms-template.ts";

const values = { first_name: "Inés", consultant: "Ana", company: null, meeting: "  " };

describe("a template", () => {
  it.each([
    ["Hola {{first_name}}, soy {{ consultant }}.", "Hola Inés, soy Ana."],
    ["About {{company|your business}}", "About your business"],
    ["{{FIRST_NAME|you}}", "Inés"],
    ["On {{meeting| soon }}", "On soon"],
    ["No field: { {first_name} }", "No field: { {first_name} }"],
  ])("%j becomes %j", (body, text) => {
    expect(fillTemplate(body, values)).toBe(text);
    expect(unfilledField(text)).toBeUndefined();
  });

  it("keeps and marks a field without a value and without something in its place", () => {
    const text = fillTemplate("Hi {{first_name}}, about {{company}} and {{meeting|}}", values);
    expect(text).toBe("Hi Inés, about {{company}} and {{meeting|}}");
    const place = unfilledField(text);
    expect(place).toMatchObject({ name: "company" });
    expect(text.slice(place?.start, place?.end)).toBe("{{company}}");
  });

  it("fills in one go: what a lead is called is no field", () => {
    expect(fillTemplate("{{first_name}}", { ...values, first_name: "{{consultant}}" })).toBe(
      "{{consultant}}",
    );
  });

  it("knows what is no field", () => {
    expect(unknownFields("{{first_name}} {{phone}} {{}}")).toEqual(["phone", ""]);
  });
});
