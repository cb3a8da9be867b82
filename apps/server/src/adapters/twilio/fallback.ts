import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { XMLParser } from "fast-xml-parser";
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js";
import type { FallbackScript } from "../../ports/probe.ts";
import { isInside, resolveOutside } from "../outside.ts";
import type { TwilioEnv } from "./client.ts";

const timeoutMs = 4_000;
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
  const signal = AbortSignal.timeout(timeoutMs);
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
      ? `no answer in ${timeoutMs / 1000} s`
      : typeof code === "string"
        ? code
        : message;
    throw new Error(`${url.hostname}: ${reason}`);
  }
}
