import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TwilioEnv } from "./client.ts";
import { askFallback, readScript } from "./probe.ts";

let asked: { url: string; headers: IncomingHttpHeaders }[] = [];
let answer: (response: ServerResponse) => unknown = (response) => response.end("<Response/>");
let origin = "";
const server = createServer((request, response) => {
  asked.push({ url: request.url ?? "", headers: request.headers });
  answer(response);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const env = (baseUrl: string, nextAuthToken: string | null = null) =>
  ({
    baseUrl,
    accountSid: `AC${"0".repeat(32)}`,
    authToken: "tok",
    nextAuthToken,
    apiKeySid: "SK1",
    apiKeySecret: "api-secret",
  }) as TwilioEnv;
const real = "https://api.twilio.com";
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error: Error) => error.message,
  );

describe("a request to the fallback URL", () => {
  it.each([
    ["an invalid URL", "bin", "no address"],
    ["http", "http://handler.example.com/x", "instead of https:"],
    ["a file URL", "file:///etc/passwd", "instead of https:"],
    ["a URL with a password", "https://user:secret@example.com/x", "is not sent"],
    ["localhost", "https://127.0.0.1/x", "private network"],
    ["localhost in another notation", "https://2130706433/x", "private network"],
    ["localhost by IPv6", "https://[::1]/x", "private network"],
    ["the metadata address of a cloud", "https://169.254.169.254/latest", "private network"],
    ["a name that resolves to localhost", "https://localhost/x", "private network"],
    ["the URL of a Studio flow", "https://webhooks.twilio.com/v1/Accounts/AC1/Flows/FW1", "Studio"],
  ])("is rejected for %s, with a reason that contains no secret", async (_what, address, reason) => {
    const message = await reasonOf(askFallback(env(real), address, {}));
    expect(message).toContain(reason);
    expect(message).not.toContain("secret");
  });

  it("is signed like Twilio's, carries no credentials, and keeps the URL's own query", async () => {
    asked = [];
    await askFallback(env(origin), `${origin}/bin?call=7&x=a%20b#rc=2`, {
      call: "0",
      ErrorUrl: "https://p.test/?a=1&b=2",
    });
    const [{ url, headers } = { url: "", headers: {} as IncomingHttpHeaders }] = asked;
    expect(Object.fromEntries(new URL(url, origin).searchParams)).toEqual({
      call: "0",
      x: "a b",
      AccountSid: `AC${"0".repeat(32)}`,
      ErrorUrl: "https://p.test/?a=1&b=2",
    });
    expect(twilio.validateRequest("tok", String(headers["x-twilio-signature"]), origin + url, {})).toBe(true);
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  });

  it("is repeated with the other auth token when the first is rejected", async () => {
    asked = [];
    answer = (response) => {
      response.statusCode = asked.length === 1 ? 403 : 200;
      response.end("<Response/>");
    };
    await askFallback(env(origin, "next"), `${origin}/bin`, {});
    const [, second] = asked;
    const signature = String(second?.headers["x-twilio-signature"]);
    expect(twilio.validateRequest("next", signature, origin + second?.url, {})).toBe(true);
  });

  it.each([
    [
      "a redirect",
      (it: ServerResponse) => it.writeHead(302, { location: `${origin}/other` }).end(),
      "HTTP 302",
    ],
    ["an error response", (it: ServerResponse) => it.writeHead(500).end("<Response/>"), "HTTP 500"],
    ["an endless response", (it: ServerResponse) => it.end("<Response>".padEnd(70_000, " ")), "too long"],
    [
      "a document type with entities",
      (it: ServerResponse) => it.end('<!DOCTYPE r [<!ENTITY a "b">]><Response/>'),
      "document type",
    ],
    ["a closed connection", (it: ServerResponse) => it.destroy(), "ECONNRESET"],
  ])("neither follows nor parses %s", async (_what, given, reason) => {
    asked = [];
    answer = given;
    expect(await reasonOf(askFallback(env(origin), `${origin}/bin`, {}))).toBe(
      `127.0.0.1: ${
        reason === "too long"
          ? "the answer is too long"
          : reason === "document type"
            ? "the answer has a document type"
            : reason
      }`,
    );
    expect(asked).toHaveLength(1);
  });
});

describe("reading TwiML", () => {
  const read = (verbs: string) => readScript(`<Response>${verbs}</Response>`, "https://a.test/b/c");
  it("returns the dialed numbers, the waiting time and the next URL", () => {
    expect(read("<Dial>+1 (212) 555-0199</Dial>").rings).toEqual(["+12125550199"]);
    expect(read("<Dial>\n<Number>+1212</Number>\n<Sip>sip:a@b</Sip></Dial>").rings).toEqual(["+1212", null]);
    expect(read('<Pause/><Pause length="9"/><Redirect>../d?x=1&amp;y=2</Redirect>')).toEqual({
      rings: [],
      pauseSeconds: 10,
      goesTo: "https://a.test/d?x=1&y=2",
    });
    expect(read("<!-- <Dial>1</Dial> --><Say>Hi</Say>")).toEqual({
      rings: [],
      pauseSeconds: 0,
      goesTo: null,
    });
  });
});
