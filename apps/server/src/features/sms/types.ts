import type { Logger } from "pino";
import type { Database } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { SmsProvider } from "../../ports/sms.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import type { ReadLeadAgain } from "../contact-policy/service.ts";

/** When silence is looked into, in milliseconds. */
export interface MessageTimings {
  /** A text that the provider was asked for and gave no sid for is looked up. */
  unansweredMs: number;
  /** Such a text that the provider does not list by then was never sent. */
  giveUpMs: number;
  /** A text under way without a callback is asked about. */
  silenceMs: number;
  /** The same text is not asked about again before. */
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
  /** Null where no provider is configured: nothing is sent, everything kept is still shown. */
  smsProvider: SmsProvider | null;
  publicUrl: string;
  defaultCountry: "US" | "ES";
  /** What "may I contact?" goes by. */
  contactPolicy: ContactPolicyRules;
  /** Null without a CRM. */
  readLeadAgain: ReadLeadAgain | null;
  timings: MessageTimings;
}
