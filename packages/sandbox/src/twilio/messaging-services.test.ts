import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MESSAGING_SERVICE_SID, SYSTEM_NUMBER, TWILIO_ACCOUNT_SID } from "../defaults.ts";
import { startReceiver } from "../testing/receiver.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { twilioClient } from "../testing/vendor-clients.ts";
import { describesMessaging } from "../testing/vendor-schemas.ts";
import { waitFor } from "../testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const LEAD = "+17865550121";
const SECOND = "+12025550102";

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let client: ReturnType<typeof twilioClient>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  sandbox = await temporarySandbox();
  client = twilioClient(sandbox.url);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control("POST", "/reset");
  receiver = await startReceiver(() => undefined);
});
afterEach(() => receiver.close());

/** A service with a pool of one number of its own. */
async function ownService() {
  const { sid: phoneNumberSid } = await sandbox.control("POST", "/numbers", { number: SECOND });
  const service = await client.messaging.v1.services.create({
    friendlyName: "Pool",
    inboundRequestUrl: `${receiver.url}/service`,
  });
  await client.messaging.v1.services(service.sid).phoneNumbers.create({ phoneNumberSid });
  return service.sid;
}

const send = (messagingServiceSid: string) =>
  client.messages.create({
    to: LEAD,
    messagingServiceSid,
    body: "Hola",
    statusCallback: `${receiver.url}/status`,
  });

describe("a Messaging Service", () => {
  test("returns accepted without a sender, then sends from its pool", async () => {
    const sid = await ownService();
    expect(await send(sid)).toMatchObject({ status: "accepted", from: null, numSegments: "0", price: null });
    await waitFor("the delivery", () => receiver.at("/status")[4]);
    const reports = receiver.at("/status").map(({ params }) => [params.MessageStatus, params.From]);
    expect(reports).toEqual([
      ["accepted", undefined],
      ["queued", SECOND],
      ["sending", SECOND],
      ["sent", SECOND],
      ["delivered", SECOND],
    ]);
    expect(receiver.received.every(({ valid, params }) => valid && params.MessagingServiceSid === sid)).toBe(
      true,
    );
  });

  test("rejects an empty pool and an unknown service", async () => {
    const { sid } = await client.messaging.v1.services.create({ friendlyName: "Empty" });
    await expect(send(sid)).rejects.toMatchObject({ status: 400, code: 21703 });
    await expect(send(`MG${"9".repeat(32)}`)).rejects.toMatchObject({ status: 400, code: 21701 });
  });

  test("uses its own webhook before that of its numbers, unless it defers to the sender's", async () => {
    const sid = await ownService();
    const [number] = await client.incomingPhoneNumbers.list({ phoneNumber: SECOND });
    await client.incomingPhoneNumbers(number?.sid ?? "").update({ smsUrl: `${receiver.url}/number` });
    const write = (body: string) => sandbox.control("POST", "/texts", { from: LEAD, to: SECOND, body });
    await write("uno");
    await waitFor("the service's", () => receiver.at("/service")[0]);
    await client.messaging.v1.services(sid).update({ useInboundWebhookOnNumber: true });
    await write("dos");
    await waitFor("the number's", () => receiver.at("/number")[0]);
    expect(receiver.at("/service")).toHaveLength(1);
  });

  test("opts out for all its numbers, and sends OptOutType only with Advanced Opt-Out", async () => {
    const sid = await ownService();
    const write = (body: string) => sandbox.control("POST", "/texts", { from: LEAD, to: SECOND, body });
    await write("STOP");
    await waitFor("the first", () => receiver.at("/service")[0]);
    await expect(send(sid)).rejects.toMatchObject({ code: 21610 });
    await sandbox.control("POST", "/opt-out", { advanced: true, words: { "YA NO": "stop" } });
    await write("START");
    await write("ya no");
    await waitFor("the third", () => receiver.at("/service")[2]);
    const types = receiver.at("/service").map(({ params }) => params.OptOutType);
    expect(types).toEqual([undefined, "START", "STOP"]);
    await expect(send(sid)).rejects.toMatchObject({ code: 21610 });
  });

  test("responds as the vendor's API description says", async () => {
    const auth = { authorization: `Basic ${btoa(`${TWILIO_ACCOUNT_SID}:sandbox-auth-token`)}` };
    const get = async (path: string) => {
      const answer = await fetch(`${sandbox.url}/twilio${path}`, { headers: auth });
      return { status: answer.status, body: (await answer.json()) as { phone_numbers?: unknown } };
    };
    const one = `/v1/Services/${MESSAGING_SERVICE_SID}`;
    expect(describesMessaging("/v1/Services", await get("/v1/Services"))).toEqual([]);
    expect(describesMessaging("/v1/Services/{Sid}", await get(one))).toEqual([]);
    const senders = await get(`${one}/PhoneNumbers`);
    expect(describesMessaging("/v1/Services/{ServiceSid}/PhoneNumbers", senders)).toEqual([]);
    expect(senders.body.phone_numbers).toMatchObject([{ phone_number: SYSTEM_NUMBER }]);
  });
});

test("accepts both auth tokens during a rotation, and signs with the primary", async () => {
  const ask = (token: string) => twilioClient(sandbox.url, TWILIO_ACCOUNT_SID, token).messages.list();
  await sandbox.control("POST", "/auth-tokens", { primary: "new-token", secondary: "sandbox-auth-token" });
  expect(await ask("new-token")).toEqual([]);
  expect(await ask("sandbox-auth-token")).toEqual([]);
  await sandbox.control("POST", "/auth-tokens", { primary: "new-token" });
  await expect(ask("sandbox-auth-token")).rejects.toMatchObject({ status: 401 });
});
