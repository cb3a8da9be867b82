import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, it } from "vitest";
import { readEmail, readPhone } from "./contact-cells.ts";
import { maskPhone, toE164 } from "./phone.ts";
import { foldText, likePattern, searchTerms, searchText } from "./search-text.ts";

describe("phone numbers", () => {
  it.each([
    ["(212) 555-0100", "+12125550100"],
    ["+1 212 555 0100", "+12125550100"],
    ["212.555.0100 ", "+12125550100"],
    ["+34 612 34 56 78", "+34612345678"],
    ["+1 900 555 0100", null],
    ["806 12 34 56", null],
    ["+34 806 12 34 56", null],
    ["p:+12125550100", "+12125550100"],
    ["P: (212) 555-0100", "+12125550100"],
    ["tel:+1-212-555-0100", "+12125550100"],
    ["whatsapp:+12125550100", "+12125550100"],
    ["callto: 212 555 0100", "+12125550100"],
    ["0034 612 34 56 78", "+34612345678"],
    ["00 52 55 1234 5678", "+525512345678"],
    ["00 34 806 12 34 56", null],
    ["+52 1 55 1234 5678", "+525512345678"],
    ["011 52 1 55 1234 5678", "+525512345678"],
    ["p:+5215512345678", "+525512345678"],
    ["+52 55 1234 5678", "+525512345678"],
    ["+1\u200b212\u200b5550100", "+12125550100"],
    ["\ufeff(212) 555-0100", "+12125550100"],
    ["\u202d+1 212 555 0100\u202c", "+12125550100"],
    ["\u200e+34\u00a0612\u202f34\u200756\u00ad78\u2060", "+34612345678"],
    ["\u061c212\ufe0f555\u200d0100", "+12125550100"],
    ["p:+1 900 555 0100", null],
    ["+1 9\u200b00 555 0100", null],
    ["+52 1 900 123 4567", null],
    ["+52 1 55 1234 567", null],
    ["p:", null],
    ["\u200b", null],
    ["555-0100", null],
    ["call me", null],
    ["", null],
    [null, null],
  ])("parses %j as %j", (typed, e164) => {
    expect(toE164(typed, "US")).toBe(e164);
  });

  it("parses common formats as the library does, with repeated prefixes", () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
    const typed = fc
      .tuple(
        fc.constantFrom("", "+1", "1 ", "+1-"),
        fc.constantFrom("305", "212", "900", "976", "555", "011"),
        digits(3),
        digits(4),
      )
      .map(([prefix, area, exchange, line]) => `${prefix}(${area}) ${exchange}-${line}`);
    fc.assert(
      fc.property(typed, (number) => {
        const parsed = parsePhoneNumberFromString(number, { defaultCountry: "US", extract: false });
        const dialled = parsed?.isValid() && parsed.getType() !== "PREMIUM_RATE" ? parsed.number : null;
        expect(toE164(number, "US")).toBe(dialled);
        expect(toE164(number, "US")).toBe(dialled);
      }),
      // 011 is the prefix of international calls.
      { examples: [["(011) 470-8000"], ["(011) 525-5123"]] },
    );
  });

  it.each([
    ["p:+12125550100", { phone: "+12125550100", phoneE164: "+12125550100", others: false }],
    ["\u202a212\u200b-555-0100\u202c", { phone: "212-555-0100", phoneE164: "+12125550100", others: false }],
    ["p:+12125550100, p:+13055550111", { phone: "+12125550100", phoneE164: "+12125550100", others: true }],
    ["ask\u200b Ana", { phone: "ask\u200b Ana", phoneE164: null, others: false }],
    ["p:call", { phone: "p:call", phoneE164: null, others: false }],
  ])("extracts the number of a cell %j", (cell, read) => {
    expect(readPhone(cell, "US")).toEqual(read);
  });

  it("masks all but two digits in logs", () => {
    expect(maskPhone("+12125550137")).toBe("+•••••••••37");
  });
});

it("an email address is parsed without its invisible characters", () => {
  expect(readEmail("\ufeffana\u200b@example\u00ad.com\u200e")).toEqual({
    email: "ana@example.com",
    others: false,
  });
});

it("an email address is the same inside angle brackets", () => {
  const part = fc.stringMatching(/^[A-Za-z0-9._+'|-]{1,8}$/);
  fc.assert(
    fc.property(part, part, fc.constantFrom(".com", ".C", "", ".e5", ".co."), (name, host, end) => {
      const typed = `${name}@${host}${end}`;
      expect(readEmail(typed)).toEqual(readEmail(`<${typed}>`));
    }),
  );
});

describe("the search text", () => {
  it("matches María by 'maria', and a number in any format", () => {
    const stored = searchText({
      name: "María Peña",
      email: "MP@Example.com",
      company: null,
      phone: "(212) 555-0100",
      phoneE164: "+12125550100",
    });
    expect(stored).toContain(foldText("PENA"));
    expect(stored).toContain("mp@example.com");
    for (const term of searchTerms("212-555 0100")) expect(stored).toContain(term);
    const typed = { name: "Ana", phone: "06 12 34 56", phoneE164: null };
    expect(searchText(typed)).toBe("ana 06123456");
    expect(searchText({ ...typed, phone: "ext 7", phoneE164: "+34612345678" })).toBe("ana 34612345678");
    expect(searchText({ ...typed, phoneE164: "+34612345678" })).toBe("ana 06123456 34612345678");
  });

  it("fits into the index for any lead, and always contains the number", () => {
    const text = fc.string({ unit: "binary", maxLength: 1_000, size: "max" });
    fc.assert(
      fc.property(text, text, text, text, (name, email, company, phone) => {
        const stored = searchText({ name, email, company, phone, phoneE164: "+13055550199" });
        expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(2_400);
        expect(stored).toContain("13055550199");
        expect(stored.isWellFormed()).toBe(true);
      }),
      { endOnFailure: true },
    );
  });

  it("escapes the wildcards of LIKE", () => {
    expect(likePattern("50%_\\")).toBe("%50\\%\\_\\\\%");
  });
});
