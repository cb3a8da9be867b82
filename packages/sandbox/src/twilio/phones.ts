import { OFFICE_LINE, SEEDED_USERS } from "../defaults.ts";
import type { Store, Table } from "../state/store.ts";
import type { SmsOutcome } from "./sms.ts";

export type Behaviour = "answers" | "busy" | "no-answer" | "voicemail" | "invalid" | "opts-out";

export const BEHAVIOURS: readonly Behaviour[] = [
  "answers",
  "busy",
  "no-answer",
  "voicemail",
  "invalid",
  "opts-out",
];

/** What a phone that acts by itself does otherwise than its rule; times in simulated seconds. */
export interface PhoneScript {
  /** How long it rings before it is answered. */
  answerAfter?: number;
  /** The keys for each Gather of a call in turn; an empty text waits, and so it does after the last one. */
  press?: string[];
  /** From the beginning of a Gather to the key. */
  pressAfter?: number;
  /** From the moment at which both talk to the star. */
  starAfter?: number;
  /** From the moment at which both talk to its hanging up. */
  talk?: number;
  /** From its answering to its hanging up. */
  hangUpAfter?: number;
}

/** A phone someone named: watched by hand, or acting by itself otherwise than its last digit says. */
export interface Phone {
  number: string;
  label?: string;
  mode: "auto" | "manual";
  behaviour?: Behaviour;
  /** How texts to it end; by its last digit when missing. */
  texts?: SmsOutcome;
  /** Calls to it fail with this SIP response code. */
  sip?: number;
  script?: PhoneScript;
}

/** Simulated milliseconds. */
export const PHONE_TIMES = {
  setUp: 400,
  busyTone: 800,
  twoRings: 3_000,
  voicemailAnswers: 6_000,
  voicemailRecords: 15_000,
  /** From the moment at which a voicemail hears a recorded message. */
  voicemailKeeps: 90_000,
  saysNo: 5_000,
  pressesKey: 1_500,
  detectsPerson: 2_000,
  hearsBeep: 6_000,
};

const BY_LAST_DIGIT: Behaviour[] = [
  "answers",
  "answers",
  "answers",
  "answers",
  "answers",
  "busy",
  "no-answer",
  "voicemail",
  "invalid",
  "opts-out",
];

/** Of a caller who hides their number behind a word: 0. */
const lastDigit = (number: string): number => Number(number.at(-1)) || 0;

/** The simulated phones: each acts by the rule on its last digit unless the table says otherwise. */
export class Phones {
  readonly #rows: Table<Phone>;
  readonly #settings: Table<{ auto: boolean }>;

  constructor(store: Store) {
    this.#rows = store.table<Phone>("phones");
    this.#settings = store.table<{ auto: boolean }>("phone-settings");
  }

  seed(): void {
    this.#rows.clear();
    this.#settings.clear();
    for (const user of SEEDED_USERS) {
      if (!user.phone) continue;
      this.set({ number: user.phone, label: `${user.firstName} ${user.lastName}`, mode: "auto" });
    }
    this.set({ number: OFFICE_LINE, label: "Office line", mode: "auto", behaviour: "answers" });
  }

  list(): Phone[] {
    return this.#rows.values();
  }

  get(number: string): Phone | undefined {
    return this.#rows.get(number);
  }

  set(phone: Phone): void {
    this.#rows.set(phone.number, phone);
  }

  delete(number: string): boolean {
    return this.#rows.delete(number);
  }

  /** Whether phones act by themselves at all. */
  get auto(): boolean {
    return this.#settings.get("all")?.auto ?? true;
  }

  set auto(auto: boolean) {
    this.#settings.set("all", { auto });
  }

  actsAlone(number: string): boolean {
    return this.auto && this.get(number)?.mode !== "manual";
  }

  behaviourOf(number: string): Behaviour {
    return this.get(number)?.behaviour ?? BY_LAST_DIGIT[lastDigit(number)] ?? "answers";
  }

  /** How long a lead stays on the line after both are connected: 8 s, and 4 s more for each step of the last digit up to 4. */
  talkMs(number: string): number {
    return (8 + 4 * Math.min(4, lastDigit(number))) * 1_000;
  }

  /** How long a caller speaks to a voicemail: 6 s, and 2 s more for each step of the last digit up to 4. */
  messageMs(number: string): number {
    return (6 + 2 * Math.min(4, lastDigit(number))) * 1_000;
  }

  isInvalid(number: string): boolean {
    return this.behaviourOf(number) === "invalid";
  }
}
