import { afterAll, beforeAll, expect, test } from "vitest";
import webPush from "web-push";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
beforeAll(async () => {
  sandbox = await temporarySandbox();
});
afterAll(() => sandbox.close());

test("the push service accepts what the official library sends, and rejects other signatures and readable content", async () => {
  const keys = webPush.generateVAPIDKeys();
  const browser = await sandbox.control("POST", "/push/browsers", { applicationServerKey: keys.publicKey });
  const subject = "mailto:desk@example.com";
  const detailsOf = (vapid = keys) =>
    webPush.generateRequestDetails(browser, "¿Hola?", {
      TTL: 60,
      ...{ vapidDetails: { subject, ...vapid }, urgency: "high" },
    });
  const send = async (headers: Record<string, unknown> = {}, { body } = detailsOf()) => {
    const given = Object.entries({ ...detailsOf().headers, "Content-Length": null, ...headers }).filter(
      ([, value]) => value !== null,
    );
    const answer = await fetch(browser.endpoint, {
      method: "POST",
      headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(body as Buffer),
    });
    return answer.status;
  };
  const otherAudience = webPush.getVapidHeaders(
    "https://push.example.com",
    subject,
    keys.publicKey,
    keys.privateKey,
    "aes128gcm",
  ).Authorization;
  const twoDays = Math.floor(Date.now() / 1_000) + 2 * 86_400 - 60;
  const own = String(detailsOf().headers.Authorization);

  expect(await send()).toBe(201);
  expect(await send({ Authorization: null })).toBe(401);
  expect(await send({ Authorization: detailsOf(webPush.generateVAPIDKeys()).headers.Authorization })).toBe(
    403,
  );
  expect(await send({ Authorization: otherAudience })).toBe(403);
  expect(await send({ Authorization: own.replace(/\.[\w-]+,/, `.${"A".repeat(86)},`) })).toBe(403);
  const claims = Buffer.from(
    JSON.stringify({ aud: new URL(browser.endpoint).origin, exp: twoDays, sub: subject }),
  );
  expect(await send({ Authorization: own.replace(/\.[^.]+\./, `.${claims.toString("base64url")}.`) })).toBe(
    403,
  );
  expect(await send({ TTL: null })).toBe(400);
  expect(await send({ "Content-Encoding": "aesgcm" })).toBe(400);
  const stranger = await sandbox.control("POST", "/push/browsers", { applicationServerKey: keys.publicKey });
  expect(await send({}, webPush.generateRequestDetails(stranger, "Not for this one"))).toBe(500);

  const { messages } = await sandbox.control("GET", `/push/messages?device=${browser.id}`);
  expect(messages).toEqual([{ device: browser.id, ttl: 60, urgency: "high", text: "¿Hola?" }]);
  await sandbox.control("DELETE", `/push/browsers/${browser.id}`);
  expect(await send()).toBe(410);
});
