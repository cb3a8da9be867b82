import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GHL_COMPANY_ID, GHL_LOCATION_ID, SEEDED_USERS } from "../defaults.ts";
import { type Found, temporaryGhl } from "../testing/temporary-ghl.ts";
import { ghlClient } from "../testing/vendor-clients.ts";
import { describesGhl } from "../testing/vendor-schemas.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const locationId = GHL_LOCATION_ID;

let ghl: Awaited<ReturnType<typeof temporaryGhl>>;

beforeAll(async () => {
  ghl = await temporaryGhl();
});
afterAll(() => ghl.close());
beforeEach(() => ghl.control("POST", "/reset"));

describe("users and the location", () => {
  test("lists the four users by both endpoints", async () => {
    const { users } = await ghl.client.users.getUserByLocation({ locationId });
    expect(users?.map((user) => user.email)).toEqual(SEEDED_USERS.map((user) => user.email));
    const found = await ghl.client.users.searchUsers({ companyId: GHL_COMPANY_ID, locationId, limit: "2" });
    expect(found).toMatchObject({ count: 4, users: [{ name: "Portal Admin" }, { name: "Ana Torres" }] });
    expect((await ghl.client.locations.getLocation({ locationId })).location?.timezone).toBe(
      "America/New_York",
    );
  });

  test("rejects what requires a scope that the token lacks, and answers the rest", async () => {
    const ask = async (method: string, path: string, body?: object) =>
      (await ghl.rest(method, path, body)).status;
    const search = { locationId, pageLimit: 1 };
    await ghl.control("POST", "/ghl/manners", { missingScopes: ["contacts.write", "locations.readonly"] });
    expect(await ask("PUT", "/contacts/nobody", {})).toBe(401);
    expect(await ask("GET", `/locations/${locationId}`)).toBe(401);
    expect(await ask("POST", "/contacts/search", search)).toBe(200);
    expect(await ask("GET", `/locations/${locationId}/customFields`)).toBe(200);
    await ghl.control("POST", "/ghl/manners", { missingScopes: ["contacts.readonly"] });
    expect(await ask("POST", "/contacts/search", search)).toBe(401);
    expect(await ask("PUT", "/contacts/nobody", {})).toBe(400);
  });

  test("creates a custom field once", async () => {
    const field = { name: "Portal Status", dataType: "TEXT", model: "contact" as const };
    const { customField } = await ghl.client.locations.createCustomField({ locationId }, field);
    expect(customField?.fieldKey).toBe("contact.portal_status");
    await expect(ghl.client.locations.createCustomField({ locationId }, field)).rejects.toMatchObject({
      statusCode: 400,
    });
    const contactId = (await ghl.search()).contacts[0]?.id ?? "";
    const byKey = { customFields: [{ key: "portal_status", field_value: "contacted" }] };
    const { body } = await ghl.rest("PUT", `/contacts/${contactId}`, byKey);
    expect((body as { contact: Found }).contact.customFields).toContainEqual({
      id: customField?.id,
      value: "contacted",
    });
  });

  test("rejects a wrong token, a missing version and an unknown one", async () => {
    await expect(ghlClient(ghl.url, "pit-wrong").locations.getLocation({ locationId })).rejects.toMatchObject(
      { statusCode: 401 },
    );
    const wrong = await ghl.rest("GET", `/locations/${locationId}`, undefined, {
      authorization: "Bearer no",
    });
    expect(wrong.body).toMatchObject({
      statusCode: 401,
      message: "Invalid token: access token is invalid",
      error: "Unauthorized",
    });
    expect(describesGhl("locations", "get", "/locations/{locationId}", wrong)).toEqual([]);
    const version = await ghl.rest("GET", `/locations/${locationId}`, undefined, { version: "1999-01-01" });
    expect(version).toMatchObject({ status: 401, body: { message: "version header is invalid." } });
  });
});

test("counts requests and rejects the 101st in the interval", async () => {
  await ghl.control("POST", "/speed", { speed: 0.1 });
  await ghl.control("POST", "/ghl/rate-limit", { enabled: true });
  const answers = [];
  for (let count = 0; count < 101; count += 1)
    answers.push(await ghl.rest("GET", `/locations/${locationId}`));
  expect(answers.slice(0, 100).every((answer) => answer.status === 200)).toBe(true);
  expect(answers[99]?.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(answers[0]?.headers.get("x-ratelimit-max")).toBe("100");
  expect(answers[100]).toMatchObject({ status: 429, body: { statusCode: 429 } });
});
