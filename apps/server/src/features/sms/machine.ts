import type { MessageStatus } from "@portal/contract/entities/message";
import type { SmsStatus } from "../../ports/sms.ts";

/** What is known of a text of ours. */
export interface MessageFacts {
  status: MessageStatus;
  errorCode: number | null;
  /** The provider's id; null until the provider has said a word. */
  sid: string | null;
}

/** How far each status is; of two ends the happier stands, whichever came first. */
const ranks: Record<MessageStatus, number> = {
  requested: 0,
  queued: 1,
  sending: 2,
  sent: 3,
  failed: 4,
  undelivered: 5,
  delivered: 6,
  received: 7,
};

function failed(status: MessageStatus): boolean {
  return status === "failed" || status === "undelivered";
}

/** Any of two codes, the same whichever came first. */
function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/**
 * Joins what was known with what the provider reports: a text only moves forward, so that events may come late, twice or in any
 * order. What we concluded ourselves without the provider's word ("never sent") gives way to any word of it.
 */
export function mergeMessage(
  known: MessageFacts,
  reported: { sid: string; status: SmsStatus | null; errorCode: number | null },
): MessageFacts {
  const base: MessageFacts = known.sid === null ? { status: "requested", errorCode: null, sid: null } : known;
  const status =
    reported.status !== null && ranks[reported.status] > ranks[base.status] ? reported.status : base.status;
  const code = failed(reported.status ?? "requested") ? reported.errorCode : null;
  const errorCode = failed(status) ? larger(base.errorCode, code) : null;
  return { status, errorCode, sid: base.sid ?? reported.sid };
}
