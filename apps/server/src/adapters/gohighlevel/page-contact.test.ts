import { expect, it } from "vitest";
import { toFound } from "./page-contact.ts";
import { contactSchema } from "./schemas.ts";
import { fieldNames } from "./transform.ts";

const industry = { id: "cf1", name: "Industry", fieldKey: "contact.industry" };
const names = fieldNames({ customFields: [industry] });
const raw = { id: "ct_0101", firstName: "Ana", customFields: [{ id: "cf1", value: "Dental" }] };
const digest = toFound(raw, names).digest("");

it("the digest of a contact changes with every field that is read, and with no other", () => {
  const other = { searchAfter: [1, "ct_0101"], city: "Miami" };
  expect(toFound({ ...other, ...raw }, names).digest("")).toBe(digest);
  const digests = Object.keys(contactSchema.shape)
    .filter((field) => field !== "searchAfter")
    .map((field) => toFound({ ...raw, [field]: "changed" }, names).digest(""));
  expect(new Set([digest, ...digests]).size).toBe(digests.length + 1);
});

it("the digest of a contact changes when its custom fields change meaning or with the salt", () => {
  const renamed = fieldNames({ customFields: [{ ...industry, name: "Trade", fieldKey: "contact.trade" }] });
  const unused = fieldNames({ customFields: [industry, { ...industry, id: "cf2" }] });
  expect(toFound(raw, renamed).digest("")).not.toBe(digest);
  expect(toFound(raw, unused).digest("")).toBe(digest);
  expect(toFound(raw, names).digest("2")).not.toBe(digest);
});

it.each([null, "text", {}, { id: 7 }, { id: "../users" }])("%j has no contact id", (garbage) => {
  expect(toFound(garbage, names)).toMatchObject({ id: null, updatedAt: null });
});
