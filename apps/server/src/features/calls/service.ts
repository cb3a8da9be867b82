import type { Call } from "@portal/contract/entities/call";
import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import type { EventListener } from "../../events/listener.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { CallbackUrls, Telephony } from "../../ports/telephony.ts";
import type { GateRules } from "../gate/decide-contact.ts";
import type { Market } from "../recordings/notice.ts";
import { findCallView, findLiveCallView } from "./data.ts";
import type { ReportKeeper } from "./keep-report.ts";
import { presentCall } from "./present.ts";

/** When silence is looked into, in milliseconds. */
export interface CallTimings {
  /** A live call without news is asked about. */
  silenceMs: number;
  /** A call that the provider was asked for and gave no sid for is looked up. */
  unansweredMs: number;
  /** Such a call that the provider does not list by then was never placed. */
  giveUpMs: number;
  /** A call whose turn has passed and that nobody placed is given up: its process died. */
  abandonedMs: number;
  /** An ended call whose truth is not whole yet is asked about. */
  unsettledMs: number;
  /** The same call is not asked about again before. */
  againMs: number;
}

export const callTimings: CallTimings = {
  silenceMs: 60_000,
  unansweredMs: 3_000,
  giveUpMs: 20_000,
  abandonedMs: 20_000,
  unsettledMs: 5_000,
  againMs: 10_000,
};

export interface CallsContext {
  database: Database;
  events: EventListener;
  log: Logger;
  /** Null where no provider is configured: calls are refused, everything kept is still shown. */
  telephony: Telephony | null;
  publicUrl: string;
  /** Rung for consultants without a number of their own, E.164. */
  officeLine: string | null;
  defaultCountry: "US" | "ES";
  /** Whose recording notice leads hear. */
  noticeMarket: Market;
  gate: GateRules;
  keepReport: ReportKeeper;
  timings: CallTimings;
}

/** The provider tries again when the portal restarts in mid-call (Twilio: webhook connection overrides). */
export const providerRetries = "#rc=5&rp=5xx,ct,rt";

/** Where the provider asks and tells about a call; each address carries the call's id. */
export function callbackUrls(publicUrl: string, callId: number): CallbackUrls {
  const url = (path: string) => `${publicUrl}/api/twilio/voice/${path}?call=${callId}${providerRetries}`;
  return {
    answered: url("answered"),
    confirm: url("confirm"),
    dialDone: url("dial-done"),
    repStatus: url("rep-status"),
    leadStatus: url("lead-status"),
    detection: url("detection"),
    notice: url("notice"),
    recording: `${publicUrl}/api/twilio/recording-status?call=${callId}${providerRetries}`,
  };
}

/** The pace at which calls may be started, shared by all processes of the account. */
export function paceOf(telephony: Telephony): { name: string; intervalMs: number } {
  return { name: "twilio-calls", intervalMs: 1000 / telephony.callsPerSecond };
}

/** Errors: `provider_off`. */
export function requireTelephony(context: CallsContext): Telephony {
  if (context.telephony) return context.telephony;
  throw new AppError("provider_off", "Calls are off: no telephony provider is configured.");
}

/** One call for the person who made it, or an administrator. Errors: `not_found`, `forbidden`. */
export async function getCall(
  { database }: Pick<CallsContext, "database">,
  input: { actor: Session; callId: number },
): Promise<Call> {
  const view = await findCallView(database.db, input.callId);
  if (!view) throw new AppError("not_found", "This call does not exist.");
  if (input.actor.role !== "admin" && view.userId !== input.actor.userId) {
    throw new AppError("forbidden", "This call was made by another consultant.");
  }
  return presentCall(view);
}

/** The person's own live call, or null. */
export async function getLiveCall(
  { database }: Pick<CallsContext, "database">,
  actor: Session,
): Promise<Call | null> {
  const view = await findLiveCallView(database.db, actor.userId);
  return view ? presentCall(view) : null;
}
