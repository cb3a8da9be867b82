import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerKey, leadFieldOf, leadFields } from "./lead-headers.ts";
import { parseDealValue, readPriority, readStatus } from "./lead-values.ts";

describe("a deal value", () => {
  it.each([
    ["$1,250.00", 1250],
    ["1.250,00 €", 1250],
    ["€ 1.250,5", 1250.5],
    ["1 250,50", 1250.5],
    ["1\u00a0250\u202f000", 1250000],
    ["CHF 1'250.75", 1250.75],
    ["1,250", 1250],
    ["1.250", 1250],
    ["1,25", 1.25],
    ["0.125", 0.13],
    ["1,234,567.89", 1234567.89],
    ["1.234.567,89", 1234567.89],
    ["12,34,567.50", 1234567.5],
    ["US$ 900", 900],
    ["900 USD", 900],
    ["12k", 12000],
    ["1.5M", 1500000],
    ["0", 0],
    [1250.5, 1250.5],
    ["1250.", 1250],
  ])("%j is read as %d", (typed, value) => {
    expect(parseDealValue(typed)).toBe(value);
  });

  it.each([
    "",
    "TBD",
    "-5",
    "(500)",
    "1.2.3",
    "1,2,3.4.5",
    "12-15",
    "=1+1",
    "1e999",
    "12 34",
    Number.NaN,
    -1,
    null,
    {},
  ])("%j is not an amount", (typed) => {
    expect(parseDealValue(typed)).toBeNull();
  });

  it("is read back as written in either number format", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999_999 }),
        fc.constantFrom("en-US", "de-DE", "de-CH", "es-ES", "fr-FR"),
        (cents, locale) => {
          const value = cents / 100;
          const written = new Intl.NumberFormat(locale, {
            minimumFractionDigits: 2,
            useGrouping: true,
          }).format(value);
          expect(parseDealValue(written)).toBe(value);
        },
      ),
    );
  });

  it("ignores a trailing blank", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\$?\d{1,11}(\.\d{1,3})?$/), (typed) => {
        expect(parseDealValue(typed)).toBe(parseDealValue(`${typed} `));
      }),
    );
  });

  it("is null or a number of at least 0 for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (typed) => {
        const value = parseDealValue(typed);
        expect(value === null || (value >= 0 && Number.isFinite(value))).toBe(true);
      }),
    );
  });
});

describe("a column header", () => {
  it.each([
    ["Full Name", "name"],
    ["FIRST-NAME", "firstName"],
    ["last_name", "lastName"],
    ["Email 1 - Value", "email"],
    ["Correo Electrónico", "email"],
    ["Teléfono móvil", "phone"],
    ["Mobile", "phone"],
    ["Organization", "company"],
    ["Lead Status", "status"],
    ["Comments", "notes"],
    ["dealValue", "dealValue"],
    ["Person - Phone - Work", "phone"],
    ["\ufeffName", "name"],
  ])("%j maps to %s", (header, field) => {
    expect(leadFieldOf(header)).toBe(field);
  });

  it.each(["", "Street", "Contact owner", "__proto__", "constructor", "=cmd", "名前"])(
    "%j maps to no field",
    (header) => {
      expect(leadFieldOf(header)).toBeNull();
    },
  );

  it("matches in any case and with any separator", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...leadFields),
        fc.constantFrom(" ", "_", "-", "."),
        fc.boolean(),
        (field, sign, upper) => {
          const words = field.replace(/[A-Z]/g, (letter) => `${sign}${letter}`);
          expect(leadFieldOf(upper ? words.toUpperCase() : words)).toBe(field);
          expect(headerKey(headerKey(words))).toBe(headerKey(words));
        },
      ),
    );
  });
});

describe("values for status and priority", () => {
  it.each([
    ["Not Interested", "not_interested"],
    ["not_interested", "not_interested"],
    ["No interesado", "not_interested"],
    ["CONTACTADO", "contacted"],
    ["Open - Not Contacted", "new"],
    ["Closed Won", null],
    ["constructor", null],
    ["", null],
  ])("maps %j to the status %j", (typed, status) => {
    expect(readStatus(typed)).toBe(status);
  });

  it.each([
    ["HIGH", "high"],
    ["Média", "medium"],
    ["baja", "low"],
    ["toString", null],
  ])("maps %j to the priority %j", (typed, priority) => {
    expect(readPriority(typed)).toBe(priority);
  });
});
