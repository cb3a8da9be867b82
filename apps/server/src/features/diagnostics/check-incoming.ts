import { isIP } from "node:net";
import type { CheckStatus } from "@portal/contract/entities/diagnostics";
import { getHealth } from "@portal/contract/routes/health";
import type { Check, Found } from "./check.ts";
import type { EventFacts } from "./repository.ts";

const privateAddress =
  /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|0\.|::1$|::$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::ffff:)/i;
/** Names that no public DNS resolves (RFC 6761, RFC 6762, RFC 8375). */
const privateName = /(^|\.)(localhost|local|test|invalid|example|internal|home\.arpa|lan)$/i;

/** Whether an address is only reachable from this machine or its own network. */
export function isLocalAddress(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return privateAddress.test(host);
  return privateName.test(host) || !host.includes(".");
}

const slowMs = 60_000;
const stuckMs = 10 * 60_000;

function waitingSince(at: Date | null): number {
  return at ? Date.now() - at.getTime() : 0;
}

/** Checks when the last event arrived. `sentTo`: the address that the sender should use; null if it is not set up. */
export function lastEventCheck(
  facts: () => Promise<EventFacts>,
  { sentTo = null }: { sentTo?: string | null } = {},
): Check {
  return {
    name: "lastEvent",
    look: async () => {
      const { lastAt } = await facts();
      if (lastAt) return { status: "ok", finding: "received", at: lastAt };
      return { status: sentTo ? "warn" : "ok", finding: "none_received", detail: sentTo };
    },
  };
}

/** Checks the events that are stored but not worked yet. */
export function queueCheck(facts: () => Promise<EventFacts>): Check {
  return {
    name: "queue",
    look: async (): Promise<Found> => {
      const { waiting, oldestWaitingAt, putAside } = await facts();
      const seen = { values: { count: waiting, putAside }, at: oldestWaitingAt };
      const sinceMs = waitingSince(oldestWaitingAt);
      if (sinceMs > stuckMs) return { status: "fail", finding: "stuck", ...seen };
      if (sinceMs > slowMs) return { status: "warn", finding: "slow", ...seen };
      if (putAside > 0) return { status: "warn", finding: "put_aside", ...seen };
      return { status: "ok", finding: waiting > 0 ? "waiting" : "nothing_waits", ...seen };
    },
  };
}

const timeoutMs = 5_000;
const answerBytesMax = 1_000;
/** An event of the last day proves that the provider reaches the portal. */
const freshMs = 24 * 3_600_000;

/** The beginning of a response body; the rest is not read. */
async function head(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.length > answerBytesMax) break;
  }
  return text;
}

/** Requests this server's health at its public address, without following redirects. Returns what is wrong, or null. */
async function requestOwnHealth(
  publicUrl: string,
): Promise<{ wrong: "unreachable" | "answered_by_another"; detail: string } | null> {
  try {
    const response = await fetch(publicUrl + getHealth.path, {
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await head(response);
    if (response.ok && getHealth.response.safeParse(parse(text)).success) return null;
    return { wrong: "answered_by_another", detail: `${publicUrl}: HTTP ${response.status}` };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return { wrong: "unreachable", detail: `${publicUrl}: ${cause?.code ?? name}` };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Checks as well as possible from inside whether webhooks can reach the portal: requests the public address, and counts a recent event as
 * proof. `whenLocal`: the status if the address is only reachable from this machine or its network.
 */
export async function checkReachability(input: {
  publicUrl: string;
  whenLocal: CheckStatus;
  lastEventAt: Date | null;
}): Promise<Found> {
  const { publicUrl, whenLocal, lastEventAt } = input;
  const problem = await requestOwnHealth(publicUrl);
  if (problem) {
    const getsThrough = lastEventAt !== null && Date.now() - lastEventAt.getTime() < freshMs;
    return { status: getsThrough ? "warn" : "fail", finding: problem.wrong, detail: problem.detail };
  }
  if (isLocalAddress(publicUrl)) {
    return { status: whenLocal, finding: "local_only", detail: publicUrl };
  }
  if (!publicUrl.startsWith("https:")) return { status: "warn", finding: "not_encrypted", detail: publicUrl };
  return { status: "ok", finding: "reachable", detail: publicUrl };
}
