import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { GHL_LOCATION_ID, GHL_WEBHOOK_SEED } from "../defaults.ts";
import { temporaryGhl } from "../testing/temporary-ghl.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

interface Received {
  event: Record<string, unknown>;
  raw: Buffer;
  signature: string;
}

let ghl: Awaited<ReturnType<typeof temporaryGhl>>;
let received: Received[] = [];
let refusals = 0;
/** Status of the response to a refused event. */
let refusal = 429;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  received.push({
    event: JSON.parse(String(raw)),
    raw,
    signature: String(request.headers["x-ghl-signature"]),
  });
  response.statusCode = refusals-- > 0 ? refusal : 200;
  response.end();
});

beforeAll(async () => {
  ghl = await temporaryGhl();
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterAll(async () => {
  await ghl.close();
  receiver.close();
});
beforeEach(async () => {
  await ghl.control("POST", "/reset");
  const { port } = receiver.address() as AddressInfo;
  await ghl.control("POST", "/ghl/webhook", { url: `http://127.0.0.1:${port}/hook` });
  received = [];
  refusals = 0;
  refusal = 429;
});

const until = (count: number) =>
  vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), { timeout: 45_000, interval: 20 });

/** The public key with which the portal is configured. */
function publicKey(): string {
  const seed = createHash("sha256").update(GHL_WEBHOOK_SEED).digest();
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  return String(key.export({ format: "pem", type: "spki" }));
}

test("sends an event for every change by the API and the control API, with a signature that the official SDK verifies", async () => {
  const created = await ghl.rest("POST", "/contacts/", {
    locationId: GHL_LOCATION_ID,
    firstName: "Eva",
    email: "eva.marin@example.com",
  });
  const { id } = (created.body as { contact: { id: string } }).contact;
  await ghl.rest("PUT", `/contacts/${id}`, { lastName: "Marín" });
  await ghl.rest("PUT", `/contacts/${id}`, { dndSettings: { SMS: { status: "active" } } });
  await ghl.rest("POST", `/contacts/${id}/tags`, { tags: ["hot"] });
  const noted = await ghl.rest("POST", `/contacts/${id}/notes`, { body: "Met at the fair" });
  const { note } = noted.body as { note: { id: string } };
  await ghl.rest("PUT", `/contacts/${id}/notes/${note.id}`, { body: "Met again" });
  await ghl.rest("DELETE", `/contacts/${id}/notes/${note.id}`);
  await ghl.control("POST", `/ghl/contacts/${id}/calls`, { seconds: 40 });
  await ghl.control("PATCH", `/ghl/contacts/${id}`, { companyName: "Marín Hermanos" });
  await ghl.control("DELETE", `/ghl/contacts/${id}`);
  await until(10);

  expect(received.map(({ event }) => event.type)).toEqual([
    "ContactCreate",
    "ContactUpdate",
    "ContactDndUpdate",
    "ContactTagUpdate",
    "NoteCreate",
    "NoteUpdate",
    "NoteDelete",
    "OutboundMessage",
    "ContactUpdate",
    "ContactDelete",
  ]);
  for (const { raw, signature } of received)
    expect(ghl.client.webhooks.verifyEd25519Signature(raw, signature, publicKey())).toBe(true);
  expect(new Set(received.map(({ event }) => event.webhookId)).size).toBe(10);
  expect(received[2]?.event).toMatchObject({ id, dndSettings: { SMS: { status: "active" } } });
  expect(received[7]?.event).toMatchObject({ contactId: id, messageType: "CALL", callDuration: 40 });

  const described = join(import.meta.dirname, "../../../../../shared/providers/ghl/webhook-events.json");
  if (!existsSync(described)) return;
  const { events } = JSON.parse(readFileSync(described, "utf8"));
  const beyond = ["timestamp", "webhookId"];
  for (const { event } of received) {
    const { properties } = events[String(event.type)].schemas[0].value;
    expect(Object.keys(event).filter((name) => !(name in properties) && !beyond.includes(name))).toEqual([]);
  }
});

const waiting = async (): Promise<number> => (await ghl.control("GET", "/ghl/webhook")).waiting;
const untilWaiting = (count: number) =>
  vi.waitFor(async () => expect(await waiting()).toBe(count), { timeout: 45_000, interval: 20 });

test("retries an event answered with 429 every ten minutes up to six times; any other response is final", async () => {
  const [lead] = (await ghl.search()).contacts;
  await ghl.control("POST", "/speed", { speed: 1 });
  refusals = 7;
  await ghl.rest("PUT", `/contacts/${lead?.id}`, { firstName: "Once" });
  for (let turn = 1; turn <= 6; turn += 1) {
    await until(turn);
    await untilWaiting(1);
    await ghl.control("POST", "/clock", { minutes: 10 });
  }
  await until(7);
  await untilWaiting(0);
  expect(received[0]?.raw.equals(received[6]?.raw ?? Buffer.alloc(0))).toBe(true);

  received = [];
  refusal = 503;
  refusals = 1;
  await ghl.rest("PUT", `/contacts/${lead?.id}`, { firstName: "Lost" });
  await until(1);
  await vi.waitFor(
    async () => expect(await ghl.control("GET", "/ghl/webhook")).toMatchObject({ waiting: 0 }),
    50_000,
  );
  await ghl.control("POST", "/clock", { minutes: 60 });
  await ghl.rest("PUT", `/contacts/${lead?.id}`, { firstName: "Heard" });
  await until(2);
  expect(received.map(({ event }) => event.firstName)).toEqual(["Lost", "Heard"]);
});

test("sends nothing without an installed app, and repeats events by rule with one", async () => {
  const [lead] = (await ghl.search()).contacts;
  await ghl.control("POST", "/ghl/manners", { appInstalled: false });
  await ghl.rest("PUT", `/contacts/${lead?.id}`, { firstName: "Unheard" });
  await ghl.control("POST", "/ghl/manners", { appInstalled: true });
  await ghl.control("POST", "/webhooks", { repeat: 1 });
  await ghl.rest("PUT", `/contacts/${lead?.id}`, { firstName: "Twice" });
  await until(2);
  expect(received[0]?.event).toMatchObject({ firstName: "Twice", webhookId: received[1]?.event.webhookId });
});

test("drops configured fields and still answers with success", async () => {
  const [lead] = (await ghl.search()).contacts;
  const { body } = await ghl.rest("POST", `/locations/${GHL_LOCATION_ID}/customFields`, {
    name: "portal_status",
    dataType: "TEXT",
  });
  const { id } = (body as { customField: { id: string } }).customField;
  const change = { firstName: "Kept", lastName: "Lost", customFields: [{ id, field_value: "qualified" }] };
  await ghl.control("POST", "/ghl/drop-fields", { fields: ["lastName", "portal_status"] });
  const read = async () => (await ghl.rest("GET", `/contacts/${lead?.id}`)).body as { contact: object };

  expect((await ghl.rest("PUT", `/contacts/${lead?.id}`, change)).status).toBe(200);
  const after = await read();
  expect(after).toMatchObject({ contact: { firstName: "Kept", lastName: lead?.lastName } });
  expect(JSON.stringify(after)).not.toContain("qualified");
  await ghl.rest("PUT", `/contacts/${lead?.id}`, change);
  expect(await read()).toMatchObject({ contact: { lastName: "Lost" } });
  expect(JSON.stringify(await read())).toContain("qualified");
});

test("rejects requests above the daily limit, and reports when the day ends", async () => {
  await ghl.control("POST", "/ghl/rate-limit", { enabled: true, dailyRemaining: 1 });
  const last = await ghl.rest("GET", "/contacts/search/duplicate?locationId=x");
  expect(last.headers.get("x-ratelimit-daily-remaining")).toBe("0");
  const refused = await ghl.rest("GET", "/contacts/search/duplicate?locationId=x");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("x-ratelimit-daily-reset"))).toBeGreaterThan(0);
});
