import { randomUUID } from "node:crypto";
import type { PendingFetch, Target } from "./leg.ts";
import { parseTwiml, type TwimlNode } from "./twiml.ts";
import { sendWebhook, type WebhookWay } from "./webhook-client.ts";

/** A TwiML document, or the error as shown in the vendor's debugger. */
export type FetchedDocument = { verbs: TwimlNode[]; url: string } | { error: string };

export function pendingFetch(
  target: Target,
  params: Record<string, string>,
  fallback: Target | null,
): PendingFetch {
  return { ...target, token: randomUUID(), params, fallback };
}

/** Requests a TwiML document, and the fallback URL if the first response fails. An empty response is an empty document. Throws nothing. */
export async function fetchDocument(
  fetch: PendingFetch,
  way: WebhookWay,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  const first = await ask(fetch, fetch.params, fetch.token, way, signal);
  if (!("error" in first) || !fetch.fallback) return first;
  const params = { ...fetch.params, ErrorUrl: fetch.url, ErrorCode: first.error.slice(0, 5) };
  return ask(fetch.fallback, params, `${fetch.token}-fallback`, way, signal);
}

async function ask(
  target: Target,
  params: Record<string, string>,
  token: string,
  way: WebhookWay,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  if (!URL.canParse(target.url)) return { error: `11100 Invalid URL format: ${target.url}` };
  const answer = await sendWebhook({ url: target.url, method: target.method, params, token }, way, signal);
  if (answer.kind === "connect") return { error: `11205 HTTP connection failure: ${answer.message}` };
  if (answer.kind === "timeout") return { error: "11200 HTTP retrieval failure: timeout" };
  if (answer.status < 200 || answer.status > 299) {
    return { error: `11200 HTTP retrieval failure: ${answer.status}` };
  }
  if (answer.body.trim() === "") return { verbs: [], url: target.url };
  if (answer.contentType.startsWith("text/plain")) {
    return { verbs: [{ name: "Say", attributes: {}, text: answer.body, children: [] }], url: target.url };
  }
  return readTwiml(answer.body, target.url);
}

/** Parses TwiML that was part of the call itself or loaded from `url`. */
export function readTwiml(xml: string, url: string): FetchedDocument {
  try {
    return { verbs: parseTwiml(xml), url };
  } catch (error) {
    return { error: `12100 ${error instanceof Error ? error.message : "Document parse failure"}` };
  }
}
