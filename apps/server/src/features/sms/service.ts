import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import { AppError } from "../../http/app-error.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Texting } from "../../ports/texting.ts";
import type { GateRules } from "../gate/decide-contact.ts";

/** When silence is looked into, in milliseconds. */
export interface TextTimings {
  /** A text that the provider was asked for and gave no sid for is looked up. */
  unansweredMs: number;
  /** Such a text that the provider does not list by then was never sent. */
  giveUpMs: number;
  /** A text under way without news is asked about. */
  silenceMs: number;
  /** The same text is not asked about again before. */
  againMs: number;
}

export const textTimings: TextTimings = {
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
  texting: Texting | null;
  publicUrl: string;
  defaultCountry: "US" | "ES";
  /** What "may I contact?" goes by. */
  gate: GateRules;
  timings: TextTimings;
}

/** Errors: `provider_off`. */
export function requireTexting(context: Pick<SmsContext, "texting">): Texting {
  if (context.texting) return context.texting;
  throw new AppError("provider_off", "Texts are off: no telephony provider is configured.");
}

/** Where the provider tells about a text; the address carries its id. The fragment asks for another try while the portal restarts. */
export function statusUrl(publicUrl: string, messageId: number): string {
  return `${publicUrl}/api/twilio/sms/status?message=${messageId}#rc=5&rp=5xx,ct,rt`;
}
