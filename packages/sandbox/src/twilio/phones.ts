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

/** Deviations of an automatic phone from its rule; times in simulated seconds. */
export interface PhoneScript {
  /** How long it rings before it is answered. */
  answerAfter?: number;
  /** Keys for each Gather of a call in turn; an empty text presses none, as after the last one. */
  press?: string[];
  /** From the start of a Gather to the key. */
  pressAfter?: number;
  /** From the connection of both to the star key. */
  starAfter?: number;
  /** From the connection of both until it hangs up. */
  talk?: number;
  /** From its answer until it hangs up. */
  hangUpAfter?: number;
}

/** A configured phone: operated by hand, or automatic with other behaviour than its last digit's. */
export interface Phone {
  number: string;
  label?: string;
  mode: "auto" | "manual";
  behaviour?: Behaviour;
  /** How SMS to it end; by its last digit if missing. */
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
  /** From the start of a recorded message until the voicemail hangs up. */
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

/** 0 for a caller who withholds their number. */
const lastDigit = (number: string): number => Number(number.at(-1)) || 0;

/** The simulated phones: each follows the rule of its last digit unless configured otherwise. */
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

  /** Whether phones are automatic at all. */
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

  /** How long a lead talks after both are connected: 8 s, plus 4 s for each step of the last digit up to 4. */
  talkMs(number: string): number {
    return (8 + 4 * Math.min(4, lastDigit(number))) * 1_000;
  }

  /** How long a caller speaks to a voicemail: 6 s, plus 2 s for each step of the last digit up to 4. */
  messageMs(number: string): number {
    return (6 + 2 * Math.min(4, lastDigit(number))) * 1_000;
  }

  isInvalid(number: string): boolean {
    return this.behaviourOf(number) === "invalid";
  }
}
