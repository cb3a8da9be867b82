import type { Logger } from "pino";
import type { Database } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";
import type { Telephony } from "../../ports/telephony.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import type { ReadLeadAgain } from "../contact-policy/service.ts";
import type { Market } from "./policy.ts";

/** When silence is looked into, in milliseconds. */
export interface CallTimings {
  /** A live call without a callback is asked about. */
  silenceMs: number;
  /** A call that the provider was asked for and gave no sid for is looked up. */
  unansweredMs: number;
  /** Such a call that the provider does not list by then was never placed. */
  giveUpMs: number;
  /** A call whose turn has passed and that nobody placed is given up: its process died. */
  abandonedMs: number;
  /** An ended call whose truth is not whole yet is asked about. */
  unsettledMs: number;
  /** After the lead's answer the detection of who answered is over by then: what it did not say it could not tell. */
  detectionMs: number;
  /** A recorded message that was to be left is over by then: the lead's leg is asked about. */
  messageMs: number;
  /** The same call is not asked about again before. */
  againMs: number;
}

export const callTimings: CallTimings = {
  silenceMs: 60_000,
  unansweredMs: 3_000,
  giveUpMs: 20_000,
  abandonedMs: 20_000,
  unsettledMs: 5_000,
  // The detection itself takes 30 s at most (adapters/twilio/scripts), and its callback some more.
  detectionMs: 35_000,
  // The message itself takes 60 s at most.
  messageMs: 90_000,
  againMs: 10_000,
};

export interface CallsContext {
  database: Database;
  events: EventListener;
  log: Logger;
  jobs: Jobs;
  /** Null where no provider is configured: calls are refused, everything kept is still shown. */
  telephony: Telephony | null;
  publicUrl: string;
  /** Rung for consultants without a number of their own, E.164. */
  officeLine: string | null;
  /** Texts go out through a Messaging Service, which chooses their sender. */
  textsByService: boolean;
  defaultCountry: "US" | "ES";
  /** Whose recording notice leads hear. */
  noticeMarket: Market;
  contactPolicy: ContactPolicyRules;
  /** Null without a CRM. */
  readLeadAgain: ReadLeadAgain | null;
  timings: CallTimings;
}

/** The provider tries again when the portal restarts in mid-call (Twilio: webhook connection overrides). */
export const providerRetries = "#rc=5&rp=5xx,ct,rt";
