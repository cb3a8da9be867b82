import { setTimeout as sleep } from "node:timers/promises";
import type { DialerSession } from "../../packages/contract/src/entities/dialer.ts";

export interface WorkTally {
  reloads: number;
  resumes: number;
  /** Requests without a response, or with an error. */
  unanswered: number;
}

const outcomes = ["answered", "voicemail", "no_answer", "busy"];
const lookMs = 120;

/** Pseudorandom numbers from 0 to 1 that are the same in every run. */
export function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/**
 * A consultant who works a session to its end through the API like the web: polls, gives outcomes, sometimes shortens countdowns, reloads
 * the page (which pauses) and resumes. Lost requests are checked and sent again.
 * @returns whether the session was completed within `timeoutMs`
 */
export async function workSession(input: {
  url: string;
  cookie: string;
  start: object;
  chance: () => number;
  /** How often a countdown is shortened, 0 to 1. */
  hurry: number;
  /** How often a poll is a reloaded page, 0 to 1. */
  reload: number;
  tally: WorkTally;
  timeoutMs: number;
}): Promise<boolean> {
  const { url, cookie, chance, tally } = input;
  const ask = async <T>(method: string, path: string, body?: object): Promise<T | null> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (answer?.ok) return (await answer.json()) as T;
    tally.unanswered += 1;
    await answer?.body?.cancel();
    return null;
  };
  const send = (session: DialerSession, command: string) =>
    ask(`POST`, `/api/dialer/${session.id}/command`, { command, position: session.position });

  const deadline = Date.now() + input.timeoutMs;
  let started = false;
  while (Date.now() < deadline) {
    await sleep(lookMs);
    if (!started) started = (await ask("POST", "/api/dialer/start", input.start)) !== null;
    const session = (await ask<{ session: DialerSession | null }>("GET", "/api/dialer"))?.session;
    if (!session) continue;
    if (session.status === "completed") return true;
    if (session.status === "paused") {
      tally.resumes += 1;
      if (session.phase === "waiting") await send(session, "resume");
    } else if (chance() < input.reload) {
      tally.reloads += 1;
      await send(session, "left");
      continue;
    }
    if (session.phase === "wrap_up") {
      const random = outcomes[Math.floor(chance() * outcomes.length)];
      const outcome = chance() < 0.5 ? (session.suggestedOutcome ?? random) : random;
      await ask("POST", `/api/dialer/${session.id}/wrap-up`, { callId: session.call?.id, outcome });
    } else if (session.status === "active" && session.phase === "waiting") await send(session, "call_now");
    else if (session.phase === "countdown" && chance() < input.hurry) await send(session, "call_now");
  }
  return false;
}
