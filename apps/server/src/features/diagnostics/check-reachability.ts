import type { CheckStatus } from "@portal/contract/entities/diagnostics";
import { getHealth } from "@portal/contract/routes/health";
import type { Found } from "./check.ts";
import { isLocalAddress } from "./check-address.ts";

const timeoutMs = 5_000;
const answerBytesMax = 1_000;
/** An event of the last day proves that the provider gets through. */
const freshMs = 24 * 3_600_000;

/** The beginning of a body; the rest is not read. */
async function head(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.length > answerBytesMax) break;
  }
  return text;
}

/** Asks the public address for this server's health, as the outside would; redirects are not followed. Answers what is wrong. */
async function knock(
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
 * Whether webhooks can come in, as well as can be known from inside: the public address is asked from here, and what came in lately
 * counts as proof. `whenLocal`: what it means that only this machine or its network can reach the address.
 */
export async function checkReachability(input: {
  publicUrl: string;
  whenLocal: CheckStatus;
  lastEventAt: Date | null;
}): Promise<Found> {
  const { publicUrl, whenLocal, lastEventAt } = input;
  const problem = await knock(publicUrl);
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
