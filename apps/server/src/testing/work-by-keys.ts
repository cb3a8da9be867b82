import { setTimeout as sleep } from "node:timers/promises";
import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import type { DialerSession } from "@portal/contract/entities/dialer";
import { phrases } from "../features/dialer/line/write-phrases.ts";

/** A leg as the provider's stand-in shows it. */
export interface SeenLeg {
  sid: string;
  parentSid: string | null;
  number: string;
  status: string;
  activity: string;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  durationSeconds: number | null;
  answeredBy: string | null;
  bridged: boolean;
  pressed: string;
  keys: "gather" | "star" | null;
  transcript: { text: string; at: string; whole: boolean }[];
  warnings: string[];
}

/** The outcome that a consultant gave a lead by keys. */
export interface GivenOutcome {
  /** The outcome, or that the suggested one is right. */
  outcome: CallOutcome | "suggested";
  /** A call back was requested. */
  back: boolean;
  /** Its confirmation was spoken, so it must be stored whatever happens next. */
  heard: boolean;
  /** What stood before it was corrected. */
  before?: GivenOutcome["outcome"];
}

export interface KeyWork {
  /** By the lead's number, in the order in which they were called. */
  said: Map<string, GivenOutcome>;
  /** When each outcome's key was pressed, Unix ms: those that ended a wrap-up. */
  pressedAt: number[];
  presses: number;
  stars: number;
  /** How often the line had to be requested again. */
  rungAgain: number;
}

/** How often a consultant does what is not the plain outcome, each 0 to 1. */
export interface Habits {
  wrongKey: number;
  suggested: number;
  callBack: number;
  brief: number;
  correct: number;
  pause: number;
  /** Ends the lead's part by the star, for each look at a talk. */
  star: number;
  /** Hangs up in a talk, for each look at one. */
  hangUp: number;
}

const text = phrases.en;
const outcomeWords = new Set(Object.values(text.outcomes));
const rightOutcome = text.correct("", "|").split("|")[1] ?? "";

const digitOf = (outcome: CallOutcome) => String(callOutcomes.indexOf(outcome) + 1);

/**
 * What a consultant does on the screen where their line has ended: looks, and asks to be rung again. Answers whether the session is over.
 */
export async function ringAgain({ url, cookie }: { url: string; cookie: string }): Promise<boolean> {
  const answer = await fetch(`${url}/api/dialer`, { headers: { cookie } }).catch(() => null);
  const session = answer?.ok ? ((await answer.json()) as { session: DialerSession | null }).session : null;
  if (session?.status === "completed") return true;
  if (session?.status !== "paused") return false;
  await fetch(`${url}/api/dialer/${session.id}/command`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ command: "resume", position: session.position }),
  }).catch(() => null);
  return false;
}

/**
 * A consultant who works a session to its end by the keys of their phone alone, by what they hear. The screen is off, but for asking to be rung again
 * where the line has ended.
 */
export async function workByKeys(input: {
  control<T>(method: string, path: string, body?: object): Promise<T>;
  /** The consultant's phone, which waits for its person. */
  phone: string;
  chance: () => number;
  habits: Habits;
  /** Checks the session when no phone rings, and requests the line if it has ended; true if the session is over. */
  ringAgain(): Promise<boolean>;
  lookMs: number;
  isLate(): boolean;
}): Promise<KeyWork> {
  const { control, phone, chance, habits } = input;
  const work: KeyWork = { said: new Map(), pressedAt: [], presses: 0, stars: 0, rungAgain: 0 };
  const own = new Set<string>();
  let last: { number: string; said: GivenOutcome } | null = null;
  /** The outcome whose words are waited for. */
  let pending: GivenOutcome | null = null;
  let pressedAt = 0;
  let wrongOnPurpose = false;
  /** An outcome's key was called wrong, and was pressed once more. */
  let isRepeated = false;
  let alone = 0;

  const look = () => control<SeenLeg | { message: string }>("GET", `/calls/${encodeURIComponent(phone)}`);
  const act = (leg: SeenLeg, what: string, body: object = {}) =>
    control("POST", `/calls/${leg.sid}/${what}`, body);
  const press = async (leg: SeenLeg, digits: string) => {
    pressedAt = Date.now();
    work.presses += 1;
    await act(leg, "press", { digits });
  };
  /** The lead who was called last on the lines of this phone. */
  const called = async (): Promise<string | null> => {
    const { calls } = await control<{ calls: SeenLeg[] }>("GET", "/calls");
    return calls.find(({ parentSid }) => parentSid !== null && own.has(parentSid))?.number ?? null;
  };
  const give = async (leg: SeenLeg, outcome: GivenOutcome["outcome"], said: GivenOutcome) => {
    Object.assign(said, { outcome, heard: false });
    pending = said;
    work.pressedAt.push(Date.now());
    await press(leg, outcome === "suggested" ? "#" : digitOf(outcome));
  };
  const anyOutcome = () => callOutcomes[Math.floor(chance() * 4)] ?? "answered";

  /** A call waits for its outcome. */
  const wrapUp = async (leg: SeenLeg, isSilent: boolean) => {
    const number = await called();
    const known = number ? work.said.get(number) : undefined;
    // The last lead has an outcome: the next one's brief or turn follows, or the line waits for a key to continue.
    if (!number || known?.heard) return isSilent ? press(leg, "1") : undefined;
    const said = known ?? { outcome: anyOutcome(), back: false, heard: false };
    work.said.set(number, said);
    // Asked again about the same lead: the key was lost on its way.
    if (!known) {
      const extra = chance();
      wrongOnPurpose = extra < habits.wrongKey;
      if (wrongOnPurpose) return press(leg, "9");
      if (extra < habits.wrongKey + habits.brief) return press(leg, "8");
      if (extra < habits.wrongKey + habits.brief + habits.correct && last?.said.heard) return press(leg, "*");
      if (extra < habits.wrongKey + habits.brief + habits.correct + habits.pause) return press(leg, "0");
    }
    last = { number, said };
    // Asked again where the words of an outcome were not heard: a consultant says the same once more.
    if (pending === said && !said.heard) return give(leg, said.outcome, said);
    const way = chance();
    if (way < habits.suggested) return give(leg, "suggested", said);
    if (way < habits.suggested + habits.callBack) {
      said.back = true;
      return press(leg, "7");
    }
    return give(leg, said.outcome === "suggested" ? anyOutcome() : said.outcome, said);
  };

  const onQuestion = async (leg: SeenLeg) => {
    const heard = leg.transcript.filter(({ at }) => Date.parse(at) >= pressedAt).map((said) => said.text);
    const newest = heard.at(-1) ?? "";
    if (pending && heard.some((one) => outcomeWords.has(one))) pending.heard = true;
    const wasWrong = newest === text.wrong && !wrongOnPurpose;
    wrongOnPurpose = false;
    if (wasWrong && last && pending === last.said && !pending.heard && !isRepeated) {
      isRepeated = true;
      return give(leg, last.said.outcome, last.said);
    }
    isRepeated = false;
    if (newest === text.ask || newest === text.paused || newest === text.ready || wasWrong)
      return press(leg, "1");
    if (newest === text.when && last) {
      // Where an outcome is suggested, this key saves it.
      Object.assign(last.said, { outcome: "suggested", heard: false });
      pending = last.said;
      return press(leg, String(1 + Math.floor(chance() * 3)));
    }
    const wantsOutcome = newest === text.whichOutcome || newest === text.noSuggestion;
    if (wantsOutcome && last) return give(leg, anyOutcome(), last.said);
    if (newest.endsWith(rightOutcome) && last) {
      last.said.before = last.said.outcome;
      return give(leg, anyOutcome(), last.said);
    }
    return wrapUp(leg, newest === "");
  };

  while (!input.isLate()) {
    await sleep(input.lookMs);
    const seen = await look().catch(() => null);
    if (!seen) continue;
    if (!("sid" in seen)) {
      alone += 1;
      if (alone % 5 !== 0) continue;
      if (await input.ringAgain()) return work;
      continue;
    }
    alone = 0;
    if (!own.has(seen.sid) && own.size > 0) work.rungAgain += 1;
    own.add(seen.sid);
    if (seen.status === "ringing") await act(seen, "answer");
    else if (seen.keys === "gather" && (seen.transcript.at(-1)?.whole ?? true)) await onQuestion(seen);
    else if (seen.keys === "star" && seen.activity === "bridged") {
      const extra = chance();
      if (extra < habits.star) {
        work.stars += 1;
        await press(seen, "*");
      } else if (extra < habits.star + habits.hangUp) await act(seen, "hangup");
    }
  }
  return work;
}
