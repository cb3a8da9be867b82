import { setTimeout as sleep } from "node:timers/promises";

/** A request that is sent until it is acknowledged. */
export interface Asked {
  method?: "POST" | "PATCH";
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The error code by which a second attempt shows that the first one succeeded, for requests without a reference. */
  doneBefore?: string;
}

/** Results of all requests. */
export interface Tally {
  sent: number;
  acknowledged: number;
  /** Requests without a complete response. */
  unanswered: number;
  /** Requests that were sent once more although they had been acknowledged. */
  repeated: number;
  /** Responses that ask to try again (429, 503). */
  later: Record<number, number>;
  /** Responses that must not occur. */
  faults: string[];
}

export const newTally = (): Tally => ({
  sent: 0,
  acknowledged: 0,
  unanswered: 0,
  repeated: 0,
  later: {},
  faults: [],
});

/** Longer than the server takes for any response, so that no request is still pending when it is sent again. */
const answerMs = 60_000;
const againMs = 150;
const sayLater = new Set([429, 503]);

/** One attempt: returns the response, or null if it was not acknowledged. */
async function tryOnce(
  url: string,
  asked: Asked,
  { tally, isFirst }: { tally: Tally; isFirst: boolean },
): Promise<{ text: string | null } | null> {
  const { method = "POST", path, headers, body } = asked;
  tally.sent += 1;
  const request = { method, headers, body, signal: AbortSignal.timeout(answerMs) };
  const answer = await fetch(`${url}${path}`, request).catch(() => null);
  const text = (await answer?.text().catch(() => null)) ?? null;
  if (!answer || text === null) {
    tally.unanswered += 1;
    return null;
  }
  const isDone = !isFirst && asked.doneBefore && text.includes(`"${asked.doneBefore}"`);
  if (answer.ok || isDone) return { text };
  if (sayLater.has(answer.status) && text.includes('"message"')) {
    tally.later[answer.status] = (tally.later[answer.status] ?? 0) + 1;
    return null;
  }
  tally.faults.push(`${method} ${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
  return answer.status >= 500 ? null : { text: null };
}

/**
 * Sends the same request until it is acknowledged, and `repeats` times more afterwards. A refusal is a fault and is not retried.
 * @returns the first response's text, or null if it was refused or `timeoutMs` have passed
 */
export async function send(
  url: string,
  asked: Asked,
  { tally, repeats, timeoutMs }: { tally: Tally; repeats: number; timeoutMs: number },
): Promise<string | null> {
  const deadline = Date.now() + timeoutMs;
  let answered = await tryOnce(url, asked, { tally, isFirst: true });
  while (!answered && Date.now() < deadline) {
    await sleep(againMs);
    answered = await tryOnce(url, asked, { tally, isFirst: false });
  }
  if (!answered) tally.faults.push(`${asked.path} was not acknowledged in ${timeoutMs / 1_000} s`);
  if (!answered || answered.text === null) return null;
  tally.acknowledged += 1;
  for (let left = repeats; left > 0; left -= 1) {
    tally.repeated += 1;
    await tryOnce(url, asked, { tally, isFirst: false });
  }
  return answered.text;
}
