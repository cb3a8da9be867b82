import type { MessageStatus } from "@portal/contract/entities/message";
import type { SmsStatus } from "../../ports/sms.ts";

/** Facts about an outbound SMS. */
export interface MessageFacts {
  status: MessageStatus;
  errorCode: number | null;
  /** The provider's id; null until the provider has answered or called back. */
  sid: string | null;
}

/** Order of the statuses; of two final ones the better wins, in either order of arrival. */
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

/** The larger of two error codes, so that the order of events does not matter. */
function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/**
 * Merges a provider's report into the known facts. The status only moves forward, so events may arrive late, repeated or in any order. A
 * status that we concluded ourselves without the provider ("never sent") is replaced by any report.
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
