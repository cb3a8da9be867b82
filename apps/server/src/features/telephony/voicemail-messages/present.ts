import type { Call } from "@portal/contract/entities/call";
import type { Db } from "../../../platform/db/client.ts";
import { type CallRow, findLeadLanguage } from "../outbound/repository.ts";
import { leadLanguage } from "../policy.ts";
import type { CallsContext } from "../types.ts";
import { findDefault, isDropOn } from "./repository.ts";

/** Whether a message can be left: a voicemail answered and the call is not to end. Never after a person answered. */
export function mayLeave({ state, answeredBy, endRequestedAt }: CallRow): boolean {
  return state === "in_progress" && answeredBy === "machine" && endRequestedAt === null;
}

/** The default message for the lead of a call, in its language. */
export async function findMessageFor(
  db: Db,
  context: Pick<CallsContext, "noticeMarket">,
  { leadId, userId, leadNumber }: CallRow,
) {
  const known = await findLeadLanguage(db, leadId);
  const language = leadLanguage(context.noticeMarket, { language: known, number: leadNumber });
  return { language, message: await findDefault(db, { userId, language }) };
}

/** State of a call's message, or whether there is one to leave. */
export async function presentMessage(
  db: Db,
  context: Pick<CallsContext, "noticeMarket">,
  call: CallRow,
): Promise<Call["message"]> {
  const { messageName, messageAskedAt, messagePlayedAt, messageEndedAt } = call;
  if (messageAskedAt && messageName !== null)
    return {
      name: messageName,
      state: messagePlayedAt ? "left" : messageEndedAt ? "not_whole" : "leaving",
    };
  if (!mayLeave(call) || !(await isDropOn(db))) return null;
  const { message } = await findMessageFor(db, context, call);
  return message ? { name: message.name, state: "ready" } : null;
}
