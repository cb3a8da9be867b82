import { setTimeout as sleep } from "node:timers/promises";

/** A request that one sends until it is acknowledged. */
export interface Asked {
  method?: "POST" | "PATCH";
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The code by which a second try is told that the first one has done it, where requests have no reference. */
  doneBefore?: string;
}

/** What became of all requests. */
export interface Tally {
  sent: number;
  acknowledged: number;
  /** Requests without a whole answer. */
  unanswered: number;
  /** Requests that were sent once more although they had been acknowledged. */
  repeated: number;
  /** Answers that say to try again (429, 503). */
  later: Record<number, number>;
  /** Answers that nobody should get. */
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

/** Longer than the server takes for any answer, so that no request is still under way when it is sent again. */
const answerMs = 60_000;
const againMs = 150;
const sayLater = new Set([429, 503]);

/** One try: what was answered, or null where it was not acknowledged. */
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
 * Sends a request until it is acknowledged, as it is each time, and `repeats` times more afterwards. A refusal is a fault and is not sent again.
 * @returns the first answer's text, or null where it was refused or `patienceMs` were over
 */
export async function send(
  url: string,
  asked: Asked,
  { tally, repeats, patienceMs }: { tally: Tally; repeats: number; patienceMs: number },
): Promise<string | null> {
  const deadline = Date.now() + patienceMs;
  let answered = await tryOnce(url, asked, { tally, isFirst: true });
  while (!answered && Date.now() < deadline) {
    await sleep(againMs);
    answered = await tryOnce(url, asked, { tally, isFirst: false });
  }
  if (!answered) tally.faults.push(`${asked.path} was not acknowledged in ${patienceMs / 1_000} s`);
  if (!answered || answered.text === null) return null;
  tally.acknowledged += 1;
  for (let left = repeats; left > 0; left -= 1) {
    tally.repeated += 1;
    await tryOnce(url, asked, { tally, isFirst: false });
  }
  return answered.text;
}
