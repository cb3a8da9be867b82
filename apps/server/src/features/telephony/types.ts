import type { Logger } from "pino";
import type { Database } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";
import type { Telephony } from "../../ports/telephony.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import type { ReadLeadAgain } from "../contact-policy/service.ts";
import type { Market } from "./policy.ts";

/** Delays of checks on silent calls, in milliseconds. */
export interface CallTimings {
  /** When the provider is asked about a live call without callbacks. */
  silenceMs: number;
  /** When a requested call without a sid is looked up at the provider. */
  unansweredMs: number;
  /** When such a call, if the provider still does not list it, counts as never placed. */
  giveUpMs: number;
  /** When a call that nobody placed at its turn is given up, because its process died. */
  abandonedMs: number;
  /** When the provider is asked about an ended call whose facts are incomplete. */
  unsettledMs: number;
  /** When machine detection counts as over after the lead's answer: a missing result then means that it found none. */
  detectionMs: number;
  /** When a recorded message must have ended: the provider is asked about the lead's leg. */
  messageMs: number;
  /** Minimum time between two checks of the same call. */
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
  /** Null where no provider is configured: calls are refused, and stored data is still shown. */
  telephony: Telephony | null;
  publicUrl: string;
  /** Rung for consultants without their own number, E.164. */
  officeLine: string | null;
  /** SMS are sent by a Messaging Service, which chooses the sender. */
  textsByService: boolean;
  defaultCountry: "US" | "ES";
  /** Market of the recording notice. */
  noticeMarket: Market;
  contactPolicy: ContactPolicyRules;
  /** Null without a CRM. */
  readLeadAgain: ReadLeadAgain | null;
  timings: CallTimings;
}

/** Makes the provider retry while the portal restarts (Twilio: webhook connection overrides). */
export const providerRetries = "#rc=5&rp=5xx,ct,rt";
