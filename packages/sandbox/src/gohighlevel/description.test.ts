import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { GHL_COMPANY_ID, GHL_LOCATION_ID } from "../defaults.ts";
import { temporaryGhl } from "../testing/temporary-ghl.ts";
import { describesGhl } from "../testing/vendor-schemas.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const locationId = GHL_LOCATION_ID;

let ghl: Awaited<ReturnType<typeof temporaryGhl>>;

beforeAll(async () => {
  ghl = await temporaryGhl();
});
afterAll(() => ghl.close());
beforeEach(() => ghl.control("POST", "/reset"));

test("responds as the vendor's API description says", async () => {
  const created = await ghl.rest("POST", "/contacts/", {
    locationId,
    firstName: "Eva",
    email: "eva@example.com",
  });
  const { id } = (created.body as { contact: { id: string } }).contact;
  const one = "/contacts/{contactId}";
  expect(describesGhl("contacts", "post", "/contacts/", created)).toEqual([]);
  const lead = (await ghl.search()).contacts.find((found) => found.customFields.length > 2);
  expect(describesGhl("contacts", "get", one, await ghl.rest("GET", `/contacts/${lead?.id}`))).toEqual([]);
  const upserted = await ghl.rest("POST", "/contacts/upsert", { locationId, email: "eva@example.com" });
  expect(describesGhl("contacts", "post", "/contacts/upsert", upserted)).toEqual([]);
  expect(
    describesGhl("contacts", "put", one, await ghl.rest("PUT", `/contacts/${id}`, { dnd: true })),
  ).toEqual([]);
  expect(describesGhl("contacts", "put", one, await ghl.rest("PUT", `/contacts/${id}`, { no: 1 }))).toEqual(
    [],
  );
  const tags = `${one}/tags`;
  const tagged = await ghl.rest("POST", `/contacts/${id}/tags`, { tags: ["a"] });
  expect(describesGhl("contacts", "post", tags, tagged)).toEqual([]);
  const untagged = await ghl.rest("DELETE", `/contacts/${id}/tags`, { tags: ["a"] });
  expect(describesGhl("contacts", "delete", tags, untagged)).toEqual([]);
  const noted = await ghl.rest("POST", `/contacts/${id}/notes`, { body: "x" });
  const { note } = noted.body as { note: { id: string } };
  expect(describesGhl("contacts", "post", `${one}/notes`, noted)).toEqual([]);
  const renoted = await ghl.rest("PUT", `/contacts/${id}/notes/${note.id}`, { body: "y" });
  expect(describesGhl("contacts", "put", `${one}/notes/{id}`, renoted)).toEqual([]);
  expect(
    describesGhl("contacts", "get", `${one}/notes`, await ghl.rest("GET", `/contacts/${id}/notes`)),
  ).toEqual([]);
  expect(describesGhl("contacts", "delete", one, await ghl.rest("DELETE", `/contacts/${id}`))).toEqual([]);

  const users = await ghl.rest("GET", `/users/?locationId=${locationId}`);
  expect(describesGhl("users", "get", "/users/", users)).toEqual([]);
  const found = await ghl.rest("GET", `/users/search?companyId=${GHL_COMPANY_ID}`);
  expect(describesGhl("users", "get", "/users/search", found)).toEqual([]);
  const location = "/locations/{locationId}";
  expect(
    describesGhl("locations", "get", location, await ghl.rest("GET", `/locations/${locationId}`)),
  ).toEqual([]);
  const fields = await ghl.rest("GET", `/locations/${locationId}/customFields?model=contact`);
  expect(describesGhl("locations", "get", `${location}/customFields`, fields)).toEqual([]);
  const field = await ghl.rest("POST", `/locations/${locationId}/customFields`, {
    name: "X",
    dataType: "TEXT",
  });
  expect(describesGhl("locations", "post", `${location}/customFields`, field)).toEqual([]);

  const conversations = await ghl.rest("GET", `/conversations/search?locationId=${locationId}`);
  expect(describesGhl("conversations", "get", "/conversations/search", conversations)).toEqual([]);
  const calls = await ghl.rest(
    "GET",
    `/conversations/messages/export?locationId=${locationId}&channel=Call&limit=10`,
  );
  expect(describesGhl("conversations", "get", "/conversations/messages/export", calls)).toEqual([]);
});
