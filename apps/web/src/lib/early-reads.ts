import { turn } from "./turn.ts";

export interface EarlyAnswer {
  response: Response;
  text: string;
}

/** An answer older than this is nobody's any more: somebody else may have signed in meanwhile. */
const keptMs = 10_000;

const asked = new Map<string, { answer: Promise<EarlyAnswer>; at: number }>();
const underWay = new Set<Promise<EarlyAnswer>>();

/** Asks for what the first screen will ask for, while its code is on its way: addresses below the page's own. */
export function readEarly(urls: readonly string[]): void {
  for (const url of urls) {
    const answer = ask(url);
    asked.set(url, { answer, at: performance.now() });
    // Who takes it asks again.
    answer.catch(() => undefined);
  }
}

async function ask(url: string): Promise<EarlyAnswer> {
  const response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "include" });
  return { response, text: await response.text() };
}

/**
 * The answer to an address, where it was asked for early and nobody has taken it: once. Undefined for a server that was away or had failed:
 * it may be there again.
 */
export async function takeEarly(url: string): Promise<EarlyAnswer | undefined> {
  const early = asked.get(url);
  asked.delete(url);
  if (!early || performance.now() - early.at > keptMs) return;
  underWay.add(early.answer);
  try {
    const taken = await early.answer;
    return taken.response.status < 500 ? taken : undefined;
  } catch {
    return;
  } finally {
    underWay.delete(early.answer);
  }
}

/** Whether answers wait to be taken, or are under way to whoever took them. */
export function hasEarlyReads(): boolean {
  return asked.size + underWay.size > 0;
}

/**
 * Lets nobody take an answer any more. Resolves when those who were given one that is still under way have it, with true; with false at
 * once where there are none.
 */
export async function endEarlyReads(): Promise<boolean> {
  asked.clear();
  if (underWay.size === 0) return false;
  await Promise.allSettled(underWay);
  // What is done with an answer when it comes is done by then.
  await turn();
  return true;
}
