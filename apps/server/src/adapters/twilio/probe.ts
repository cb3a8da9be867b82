import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { XMLParser } from "fast-xml-parser";
import type { Twilio } from "twilio";
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js";
import { z } from "zod";
import {
  type FallbackScript,
  type NumberSettings,
  numberFields,
  type ServiceSettings,
  type TelephonyProbe,
} from "../../ports/probe.ts";
import { isInside, resolveOutside } from "../outside.ts";
import { createRequests, numberMissing, recordsPerPage, type TwilioEnv, unreadableAnswer } from "./client.ts";

const fallbackMs = 4_000;
const answerBytesMax = 64 * 1024;
/** A request to a Studio flow's address starts the flow. */
const startsSomething = /^webhooks\.twilio\.com$/i;

type Node = Record<string, unknown>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  htmlEntities: true,
  maxNestedTags: 20,
});

const nameOf = (node: Node) => Object.keys(node).find((key) => key !== ":@") ?? "";
const childrenOf = (node: Node) => (node[nameOf(node)] ?? []) as Node[];
const textOf = (node: Node) =>
  childrenOf(node)
    .map((child) => child["#text"] ?? "")
    .join("")
    .trim();
/** An element and its descendants in document order. */
const withAllBelow = (node: Node): Node[] =>
  Array.isArray(node[nameOf(node)]) ? [node, ...childrenOf(node).flatMap(withAllBelow)] : [];

/** Returns what TwiML does. Errors: `Error` if the text is not TwiML. */
export function readScript(twiml: string, address: string): FallbackScript {
  if (/<!DOCTYPE/i.test(twiml)) throw new Error("the answer has a document type");
  const roots = parser.parse(twiml, true) as Node[];
  const response = roots.find((node) => nameOf(node) === "Response");
  if (!response) throw new Error("the answer is not TwiML");
  const all = withAllBelow(response);
  const named = (...names: string[]) => all.filter((node) => names.includes(nameOf(node)));
  const rung = named("Dial", "Number", "Sip", "Client", "Conference", "Queue")
    .filter((node) => nameOf(node) !== "Dial" || textOf(node) !== "")
    .map((node) => (["Dial", "Number"].includes(nameOf(node)) ? textOf(node).replace(/[^+\d]/g, "") : null));
  const lengths = named("Pause").map(
    (node) => (node[":@"] as Record<string, string> | undefined)?.length ?? 1,
  );
  const [redirect] = named("Redirect");
  return {
    rings: rung,
    pauseSeconds: lengths.reduce<number>((sum, length) => sum + (Number(length) || 0), 0),
    goesTo: redirect ? (URL.parse(textOf(redirect), address)?.href ?? "") : null,
  };
}

/**
 * Returns the address if it may be requested. Errors: a reason that contains only the host, because the rest of an address may hold a
 * secret.
 */
function readAddress(address: string, standIn: boolean): URL {
  const url = URL.parse(address);
  if (!url) throw new Error("it is no address");
  if (url.protocol !== "https:" && !(standIn && url.protocol === "http:"))
    throw new Error(`${url.hostname} by ${url.protocol} instead of https:`);
  if (url.username || url.password) throw new Error(`${url.hostname} asks for a password, which is not sent`);
  if (!standIn && isInside(url.hostname)) throw new Error(`${url.hostname} lies in a private network`);
  if (startsSomething.test(url.hostname)) throw new Error("a Studio flow, which begins when it is asked");
  url.hash = "";
  return url;
}

async function bodyOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer) {
    bytes += part.length;
    if (bytes > answerBytesMax) throw new Error("the answer is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/**
 * Requests a fallback address and returns what its script makes Twilio do. The request is like Twilio's own to a TwiML Bin: by GET and
 * signed with the account's token, because a Bin responds to nobody else (support article 223132187). It sends no keys, follows no redirect
 * and does not connect to private addresses. Errors: `Error` with the host and a reason.
 */
export async function askFallback(
  env: TwilioEnv,
  address: string,
  params: Record<string, string>,
): Promise<FallbackScript> {
  const standIn = env.baseUrl.startsWith("http:");
  const url = readAddress(address, standIn);
  for (const [name, value] of Object.entries({ AccountSid: env.accountSid, ...params }))
    url.searchParams.set(name, value);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(fallbackMs);
  const ask = (token: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        accept: "text/xml, application/xml",
        "accept-encoding": "identity",
        "x-twilio-signature": getExpectedTwilioSignature(token, url.href, {}),
      };
      request(url, { agent: false, headers, signal, ...(!standIn && { lookup: resolveOutside }) }, resolve)
        .once("error", reject)
        .end();
    });
  try {
    let answer = await ask(env.authToken);
    if ([401, 403].includes(answer.statusCode ?? 0) && env.nextAuthToken !== null) {
      answer.destroy();
      answer = await ask(env.nextAuthToken);
    }
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new Error(`HTTP ${answer.statusCode}`);
    }
    return readScript(await bodyOf(answer), url.href);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    const reason = signal.aborted
      ? `no answer in ${fallbackMs / 1000} s`
      : typeof code === "string"
        ? code
        : message;
    throw new Error(`${url.hostname}: ${reason}`);
  }
}

const timeoutMs = 6_000;
/** Numbers are searched by a part of the number; these are the maximum results, and the maximum senders of a pool. */
const numbersMax = 20;
const sendersMax = 400;
const accountNumbersMax = 1_000;

/** A setting that is not set is null or ''. */
const setting = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
/** The fields that are used of https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource */
const numberSchema = z.object({
  sid: z.string().regex(/^PN[0-9a-f]{32}$/i),
  ...(Object.fromEntries(numberFields.map((field) => [field, setting])) as Record<
    keyof NumberSettings,
    typeof setting
  >),
});
/** From https://www.twilio.com/docs/messaging/api/service-resource */
const serviceSchema = z.object({
  inboundRequestUrl: setting,
  inboundMethod: setting,
  useInboundWebhookOnNumber: z
    .boolean()
    .nullish()
    .transform((value) => value === true),
});

function readAs<T>(schema: z.ZodType<T>, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (!read.success) throw unreadableAnswer(read.error);
  return read.data;
}

/** Reads and changes the system number. Standard API keys may access this resource, and it shows where webhooks go. */
export function createTwilioProbe(env: TwilioEnv): TelephonyProbe {
  const { ask } = createRequests(env, timeoutMs);
  const { messagingServiceSid } = env;

  async function findNumber(twilio: Twilio) {
    const found = await twilio.incomingPhoneNumbers.list({ phoneNumber: env.phoneNumber, limit: numbersMax });
    const ours = found.find(({ phoneNumber }) => phoneNumber === env.phoneNumber);
    return ours ? readAs(numberSchema, ours) : null;
  }

  return {
    baseUrl: env.baseUrl,
    number: env.phoneNumber,
    callsPerSecond: env.callsPerSecond,
    callFallbackUrl: env.callFallbackUrl,
    numberFallbackUrl: env.numberFallbackUrl,
    usesService: messagingServiceSid !== null,

    askFallback: (address, params) => askFallback(env, address, params),

    readNumber: () =>
      ask(async (twilio) => {
        const found = await findNumber(twilio);
        if (!found) return null;
        const { sid: _sid, ...settings } = found;
        return settings;
      }),

    changeNumber: (changes) =>
      ask(async (twilio) => {
        const found = await findNumber(twilio);
        if (!found) throw numberMissing();
        await twilio.incomingPhoneNumbers(found.sid).update(changes);
      }),

    readService: () =>
      ask(async (twilio): Promise<ServiceSettings | null> => {
        if (messagingServiceSid === null) return null;
        const service = twilio.messaging.v1.services(messagingServiceSid);
        const settings = readAs(serviceSchema, await service.fetch());
        const senders = await service.phoneNumbers.list({ limit: sendersMax });
        const others = senders.filter(({ phoneNumber }) => phoneNumber !== env.phoneNumber);
        return { ...settings, senders: senders.length, otherSenders: others.length };
      }),

    readPool: () =>
      ask(async (twilio) => {
        if (messagingServiceSid === null) return [];
        const pool = twilio.messaging.v1.services(messagingServiceSid).phoneNumbers;
        const senders = await pool.list({ limit: sendersMax });
        const others = new Set(
          senders.filter(({ phoneNumber }) => phoneNumber !== env.phoneNumber).map(({ sid }) => sid),
        );
        if (others.size === 0) return [];
        const all = await twilio.incomingPhoneNumbers.list({
          limit: accountNumbersMax,
          pageSize: recordsPerPage,
        });
        return all
          .filter(({ sid }) => others.has(sid))
          .map((each) => {
            const { sid, ...settings } = readAs(numberSchema, each);
            return { sid, settings };
          });
      }),

    changeService: (changes) =>
      ask(async (twilio) => {
        if (messagingServiceSid !== null)
          await twilio.messaging.v1.services(messagingServiceSid).update(changes);
      }),
  };
}
