import type { Logger } from "pino";
import type { Database } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { SmsProvider } from "../../ports/sms.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import type { ReadLeadAgain } from "../contact-policy/service.ts";

/** Delays of the reconciliation with the provider, in milliseconds. */
export interface MessageTimings {
  /** An SMS without an answer to its request is looked up after this. */
  unansweredMs: number;
  /** If the provider does not list it by then, it was never sent. */
  giveUpMs: number;
  /** An SMS under way without a callback is asked about after this. */
  silenceMs: number;
  /** Minimum interval between two questions about the same SMS. */
  againMs: number;
}

export const messageTimings: MessageTimings = {
  unansweredMs: 3_000,
  giveUpMs: 20_000,
  silenceMs: 60_000,
  againMs: 10_000,
};

export interface SmsContext {
  database: Database;
  log: Logger;
  jobs: Pick<Jobs, "enqueue">;
  /** Null without a provider: nothing is sent, stored SMS are still shown. */
  smsProvider: SmsProvider | null;
  publicUrl: string;
  defaultCountry: "US" | "ES";
  /** Rules of the contact policy. */
  contactPolicy: ContactPolicyRules;
  /** Null without a CRM. */
  readLeadAgain: ReadLeadAgain | null;
  timings: MessageTimings;
}
