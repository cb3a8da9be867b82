import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AuthTokens } from "./auth-tokens.ts";
import type { Method } from "./leg.ts";
import type { Outage, OutageRule } from "./outage.ts";
import { signForm, withoutFragment } from "./signature.ts";

export interface WebhookRequest {
  url: string;
  method: Method;
  params: Record<string, string>;
  /** Sent as I-Twilio-Idempotency-Token, the same on every attempt. */
  token: string;
}

/** How webhooks are sent: signed with the primary token, and lost during a simulated outage of the portal. */
export interface WebhookWay {
  tokens: AuthTokens;
  outage: Outage;
}

export type WebhookAnswer =
  | { kind: "answer"; status: number; contentType: string; body: string }
  | { kind: "connect"; message: string }
  | { kind: "timeout"; message: string };

const CONNECT_MS = 5_000;
const TOTAL_MS = 15_000;

/**
 * Sends one webhook as Twilio does: signed, 5 s to connect, 15 s in all, one retry for connection failures only. The fragment
 * `#rc=3&rp=5xx,ct,rt` overrides number and reasons of the retries (twilio.com/docs/usage/webhooks/webhooks-connection-overrides).
 */
export async function sendWebhook(
  request: WebhookRequest,
  { tokens, outage }: WebhookWay,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const { count, reasons } = retryPolicy(request.url);
  for (let attempt = 0; ; attempt += 1) {
    const lost = outage.take(request.url);
    if (lost?.afterAct) await sendOnce(request, tokens.primary, signal);
    const answer = lost ? lostAnswer(lost) : await sendOnce(request, tokens.primary, signal);
    if (attempt >= count || signal.aborted || !mayRetry(answer, reasons)) return answer;
  }
}

function lostAnswer({ status }: OutageRule): WebhookAnswer {
  if (status === null) return { kind: "connect", message: "connection refused" };
  return { kind: "answer", status, contentType: "text/html", body: "" };
}

function retryPolicy(url: string): { count: number; reasons: string[] } {
  const fragment = new URLSearchParams(url.split("#")[1] ?? "");
  const count = Number.parseInt(fragment.get("rc") ?? "1", 10);
  return {
    count: Number.isNaN(count) ? 1 : Math.min(5, Math.max(0, count)),
    reasons: (fragment.get("rp") ?? "ct").split(","),
  };
}

function mayRetry(answer: WebhookAnswer, reasons: string[]): boolean {
  const has = (reason: string) => reasons.includes(reason) || reasons.includes("all");
  if (answer.kind === "connect") return has("ct");
  if (answer.kind === "timeout") return has("rt");
  return (answer.status >= 500 && has("5xx")) || (answer.status >= 400 && answer.status < 500 && has("4xx"));
}

function sendOnce(request: WebhookRequest, authToken: string, signal: AbortSignal): Promise<WebhookAnswer> {
  const form = new URLSearchParams(request.params).toString();
  const target = withoutFragment(request.url);
  const url = request.method === "GET" ? `${target}${target.includes("?") ? "&" : "?"}${form}` : target;
  const signature = signForm(authToken, url, request.method === "GET" ? {} : request.params);
  const headers: Record<string, string> = {
    Accept: "*/*",
    "User-Agent": "TwilioProxy/1.1",
    "X-Twilio-Signature": signature,
    "I-Twilio-Idempotency-Token": request.token,
  };
  if (request.method === "POST") {
    headers["Content-Type"] = "application/x-www-form-urlencoded; charset=UTF-8";
    headers["Content-Length"] = String(Buffer.byteLength(form));
  }
  return new Promise((resolve) => {
    const send = url.startsWith("https:") ? httpsRequest : httpRequest;
    const outgoing = send(url, { method: request.method, headers, signal, agent: false });
    const fail = (kind: "connect" | "timeout", message: string) => {
      resolve({ kind, message });
      outgoing.destroy();
    };
    const connectTimer = setTimeout(() => fail("connect", "connect timeout"), CONNECT_MS);
    const totalTimer = setTimeout(() => fail("timeout", "read timeout"), TOTAL_MS);
    outgoing.on("socket", (socket) => socket.once("connect", () => clearTimeout(connectTimer)));
    outgoing.on("error", (error) => fail("connect", error.message));
    outgoing.on("close", () => {
      clearTimeout(connectTimer);
      clearTimeout(totalTimer);
      resolve({ kind: "connect", message: "connection closed" });
    });
    outgoing.on("response", (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("error", (error) => fail("connect", error.message));
      response.on("end", () =>
        resolve({
          kind: "answer",
          status: response.statusCode ?? 0,
          contentType: response.headers["content-type"] ?? "",
          body,
        }),
      );
    });
    outgoing.end(request.method === "POST" ? form : undefined);
  });
}
