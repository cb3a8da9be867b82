import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contactSchema } from "./schemas.ts";
import { fieldNames, isReject, readAmount, toCall, toContact, toFound, toUsers } from "./transform.ts";

const fields = fieldNames({
  customFields: [
    { id: "cf1", name: "Industry", fieldKey: "contact.industry" },
    { id: "cf2", name: "Deal Value", fieldKey: "contact.deal_value" },
    { id: "cf3", name: "Preferred Language", fieldKey: null },
    { id: "cf4", name: "portal_status", fieldKey: "contact.portal_status" },
  ],
});

/** A search result as shown in copies of the documentation, with invented names. */
const found = {
  id: "ct_0101",
  locationId: "loc0000000000000001",
  firstName: "Ana",
  lastName: "Reyes",
  firstNameLowerCase: "ana",
  email: " Ana.Reyes@Example.com ",
  phone: "+12125550144",
  companyName: "Reyes LLC",
  state: " FL ",
  timezone: "America/Chicago",
  source: "web form",
  assignedTo: "usr_01",
  tags: ["hot"],
  dnd: false,
  dndSettings: { SMS: { status: "permanent" }, Call: { status: "inactive" } },
  customFields: [
    { id: "cf1", value: "Dental" },
    { id: "cf2", value: "$1,250.00" },
    { id: "cf3", value: "Spanish" },
    { id: "cf4", value: "qualified" },
    { id: "cf9", value: ["a", "b"] },
  ],
  dateAdded: "2025-11-20T10:00:00.000Z",
  dateUpdated: "2025-11-20T10:05:00.000Z",
  searchAfter: [1763633100000, "ct_0101"],
};

it("rejects an email address that is too long for an index", () => {
  const email = `${"x".repeat(260)}@example.com`;
  expect(toContact({ ...found, email }, fields)).toMatchObject({
    reason: "has an email address longer than 254 characters",
    externalId: found.id,
  });
});

describe("contacts", () => {
  it.each(["Eastern", "America/New_York&America/Chicago", "", 7, null])(
    "ignore the invalid time zone %j",
    (timezone) => {
      expect(toContact({ ...found, timezone }, fields)).toMatchObject({ id: "ct_0101", timeZone: null });
    },
  );

  it("are parsed from a search result", () => {
    expect(toContact(found, fields)).toEqual({
      id: "ct_0101",
      firstName: "Ana",
      lastName: "Reyes",
      name: null,
      email: "ana.reyes@example.com",
      phone: "+12125550144",
      company: "Reyes LLC",
      state: "FL",
      timeZone: "America/Chicago",
      industry: "Dental",
      dealValue: 1250,
      source: "web form",
      callsBlocked: false,
      textsBlocked: true,
      assignedTo: "usr_01",
      createdAt: new Date("2025-11-20T10:00:00.000Z"),
      updatedAt: new Date("2025-11-20T10:05:00.000Z"),
      tags: ["hot"],
      own: { status: "qualified" },
      otherFields: { "Preferred Language": "Spanish", cf9: ["a", "b"] },
    });
  });

  it.each([
    [null, "expected object"],
    ["text", "expected object"],
    [{ ...found, id: undefined }, "has no id"],
    [{ ...found, id: "../users" }, "has an id that is none"],
    [{ ...found, firstName: { first: "Ana" } }, "has a first name that is no text"],
    [{ ...found, email: ["a@example.com"] }, "has an email address that is no text"],
  ])("that are invalid are rejected with the reason: %j", (raw, reason) => {
    const outcome = toContact(raw, fields);
    if (!isReject(outcome)) throw new Error("it was taken for a contact");
    expect(outcome.reason).toContain(reason);
    expect(outcome.payload).toEqual(JSON.parse(JSON.stringify(raw)));
  });

  it("are parsed as far as possible when optional fields are invalid", () => {
    const broken = {
      ...found,
      tags: "hot",
      dnd: "maybe",
      customFields: 7,
      dateAdded: "yesterday",
      phone: 555,
    };
    expect(toContact(broken, fields)).toMatchObject({
      email: "ana.reyes@example.com",
      phone: "555",
      tags: [],
      createdAt: null,
    });
  });

  it.each([
    [{ dnd: true }, true],
    [{ dnd: false }, false],
    [{ dnd: false, dndSettings: { Call: { status: "permanent" } } }, true],
    [{ dnd: null, dndSettings: { Call: { status: "inactive" } } }, false],
    [{ dnd: null, dndSettings: null }, null],
    [{ dndSettings: { SMS: { status: "inactive" } } }, null],
    [{ dnd: false, dndSettings: { Call: { status: "paused" } } }, null],
  ])("lift do-not-disturb only when they say so explicitly: %o", (said, callsBlocked) => {
    const { dnd: _, dndSettings: __, ...silent } = found;
    expect(toContact({ ...silent, ...said }, fields)).toMatchObject({ callsBlocked });
  });

  it("contain nothing that the database cannot store", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.json(), (text, json) => {
        const raw = {
          id: "ct_1",
          firstName: `A${text}\u0000\ud800`,
          customFields: [{ id: "x", value: JSON.parse(json) }],
        };
        const kept = JSON.stringify(toContact(raw, fields));
        expect(kept).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
    );
  });
});

describe("amounts", () => {
  it.each([
    ["$1,250.00", 1250],
    ["1250", 1250],
    [1250.555, 1250.56],
    ["1.250,50 €", 1250.5],
    ["0", 0],
    ["", null],
    ["a lot", null],
    ["-5", null],
    [1e15, null],
    [null, null],
  ])("reads %j as %j", (typed, amount) => {
    expect(readAmount(typed)).toBe(amount);
  });
});

describe("users", () => {
  it("exclude deleted ones and have lower-case email addresses", () => {
    const answer = {
      users: [
        {
          id: "u1",
          name: null,
          firstName: "Ana",
          lastName: "Torres",
          email: "ANA@portal.test",
          deleted: false,
        },
        { id: "u2", name: "Gone", firstName: null, lastName: null, email: null, deleted: true },
      ],
    };
    expect(toUsers(answer)).toEqual([{ id: "u1", name: "Ana Torres", email: "ana@portal.test" }]);
  });
});

describe("calls", () => {
  const call = {
    id: "msg1",
    contactId: "ct_1",
    messageType: "TYPE_CALL",
    dateAdded: "2025-11-20T10:00:00.000Z",
    source: "workflow",
    meta: { callDuration: "74", callStatus: "completed" },
  };

  it("of the agent are recognized by the missing user, in both response shapes", () => {
    const nested = { ...call, meta: { call: { duration: 74, status: "completed" } } };
    for (const raw of [call, nested])
      expect(toCall(raw)).toEqual({
        messageId: "msg1",
        contactId: "ct_1",
        at: new Date(call.dateAdded),
        durationSeconds: 74,
        byAgent: true,
      });
    expect(toCall({ ...call, userId: "usr_1" })).toMatchObject({ byAgent: false });
    expect(toCall({ ...call, source: "app" })).toMatchObject({ byAgent: false });
  });

  it.each([
    { ...call, meta: { callStatus: "no-answer", callDuration: "0" } },
    { ...call, messageType: "TYPE_SMS" },
    { ...call, dateAdded: "soon" },
    { ...call, contactId: null },
    null,
  ])("without a recording are ignored (%#)", (raw) => {
    expect(toCall(raw)).toBeNull();
  });
});

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
