import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRecordReader } from "./read-lead-record.ts";

const read = createRecordReader({ country: "US" });
const lead = (record: Record<string, unknown>) => read(record).lead;
const faults = (record: unknown) => read(record).faults;

describe("a lead record", () => {
  it("is parsed by the documented column aliases, and keeps unknown columns", () => {
    expect(
      read({
        "First Name": "Ana",
        "LAST NAME": "Reyes",
        Email: " Ana@Example.com ",
        Mobile: "(305) 555-0144",
        Organization: "Reyes LLC",
        "Lead Status": "Interested",
        Priority: "HIGH",
        Comments: "Call\nafter six",
        Source: "Fair",
        "Deal Value": "$1,250.00",
        Birthday: "1990-04-01",
        Industry: "",
      }),
    ).toMatchObject({
      faults: [],
      lead: {
        firstName: "Ana",
        lastName: "Reyes",
        email: "ana@example.com",
        phone: "(305) 555-0144",
        phoneE164: "+13055550144",
        company: "Reyes LLC",
        industry: null,
        status: "interested",
        priority: "high",
        notes: "Call\nafter six",
        leadSource: "Fair",
        dealValue: 1250,
        extra: { Birthday: "1990-04-01" },
      },
    });
  });

  it("drops unknown columns whose value is a placeholder in brackets", () => {
    const said = {
      Title: "[not provided]",
      Region: " [[Unknown]] ",
      Roof: "N/A",
      Remark: "[not provided] yet",
    };
    expect(lead({ Email: "a@example.com", ...said }).extra).toEqual({ Roof: "N/A", Remark: said.Remark });
  });

  it("keeps values that are not a valid status, priority or amount, and repeated columns of a field", () => {
    expect(
      lead({
        Email: "a@example.com",
        Status: "Closed Won",
        Priority: "P1",
        Amount: "TBD",
        Phone: "",
        Mobile: "3055550145",
        "Work phone": "3055550146",
      }),
    ).toMatchObject({
      phoneE164: "+13055550145",
      status: null,
      priority: null,
      dealValue: null,
      extra: { Status: "Closed Won", Priority: "P1", Amount: "TBD", "Work phone": "3055550146" },
    });
  });

  it.each([
    [
      { Name: "Ana", "Last name": "Paz" },
      { firstName: "Ana", lastName: "Paz" },
    ],
    [{ Name: "Ana Paz", Apellido: "PAZ" }, { name: "Ana Paz" }],
    [
      { Nombre: "Ana", Apellidos: "Paz Ríos" },
      { firstName: "Ana", lastName: "Paz Ríos" },
    ],
    [
      { "Full Name": "Ana Paz", "First Name": "Ana" },
      { name: "Ana Paz", firstName: "Ana" },
    ],
  ])("%j gets the name %j", (names, expected) => {
    expect(lead({ ...names, Email: "a@example.com" })).toMatchObject(expected);
  });

  it.each([
    ["Ana <ana@example.com>", "ana@example.com"],
    ["a@example.com; b@example.com", "a@example.com"],
    ["a@example.com ::: b@example.com", "a@example.com"],
    ["mailto:a@example.com", "a@example.com"],
    ["josé@example.com", "josé@example.com"],
  ])("the email of %j is %s", (cell, email) => {
    expect(lead({ Email: cell }).email).toBe(email);
  });

  it.each([
    ["3055550101.0", "+13055550101"],
    ["1.3055550101E+10", "+13055550101"],
    ["'+13055550101", "+13055550101"],
    ['="3055550101"', "+13055550101"],
    ["tel:+1-305-555-0101", "+13055550101"],
    ["none / (305) 555-0101", "+13055550101"],
    ["+34 612 345 678", "+34612345678"],
  ])("the phone of %j is %s", (cell, e164) => {
    expect(lead({ Phone: cell }).phoneE164).toBe(e164);
    expect(lead({ Phone: Number(cell) || cell }).phoneE164).toBe(e164);
  });

  it.each([
    [{ Name: "Total", Email: "", Phone: "" }, "Has neither an email nor a phone number"],
    [{ Name: "Ana", Email: "N/A", Phone: "-" }, "Has neither an email nor a phone number"],
    [{ Name: "Name", Email: "Email", Phone: "Phone" }, "Invalid email address: Email"],
    [{ Name: "Ana", Email: "ana@@example" }, "Invalid email address: ana@@example"],
    [{ Name: "Ana", Phone: "1.30556E+10" }, "Invalid phone number: 1.30556E+10 (and no email)"],
    [{ Name: "A".repeat(201), Email: "a@example.com" }, "Name is too long"],
    ["text", "Is not a record"],
    [null, "Is not a record"],
  ])("%j is rejected", (record, reason) => {
    expect(faults(record)).toEqual([reason]);
  });

  it("is rejected with more cells than the header, and accepted with fewer", () => {
    const readRow = createRecordReader({ country: "US", columns: ["Name", "Email"] });
    expect(readRow(["Ana", "Paz", "a@example.com"]).faults).toEqual([
      "Has more cells than the header (3 > 2)",
    ]);
    expect(readRow(["Ana", "a@example.com", "", " "]).faults).toEqual([]);
    expect(readRow(["Ana"]).faults).toEqual(["Has neither an email nor a phone number"]);
  });

  it("uses a corrected column mapping", () => {
    const mapped = createRecordReader({
      country: "US",
      columns: ["Contact", "Ref", "Status"],
      mapping: { Contact: "email", Status: null },
    });
    expect(mapped(["a@example.com", "7", "new"]).lead).toMatchObject({
      email: "a@example.com",
      status: null,
      extra: { Ref: "7", Status: "new" },
    });
  });

  it("is parsed or rejected for any input, and can be stored", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.jsonValue(),
      fc.constantFrom("\u0000", "__proto__", "\ud800"),
    );
    const header = fc.oneof(
      fc.string(),
      fc.constantFrom("Email", "Phone", "Name", "Status", "Deal value", "__proto__", "constructor"),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(header, value)), (entries) => {
        const record = Object.fromEntries(entries);
        const before = JSON.stringify(record);
        const result = read(record);
        expect(JSON.stringify(result)).not.toContain("\\u0000");
        expect(JSON.stringify(result)).not.toContain("\\ud800");
        expect(JSON.stringify(record)).toBe(before);
        const { email, phoneE164, extra } = result.lead;
        if (result.faults.length === 0) expect(email || phoneE164).toBeTruthy();
        expect(Object.getPrototypeOf(extra ?? {})).toBe(Object.prototype);
      }),
    );
  });
});
