import type { MessageStatus } from "@portal/contract/entities/message";
import type { TextStatus } from "../../ports/texting.ts";

/** What is known of a text of ours. */
export interface TextFacts {
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
 * Joins what was known with what the provider tells: a text only moves forward, so that news may come late, twice or in any
 * order. What we concluded ourselves without the provider's word ("never sent") gives way to any word of it.
 */
export function mergeText(
  known: TextFacts,
  news: { sid: string; status: TextStatus | null; errorCode: number | null },
): TextFacts {
  const base: TextFacts = known.sid === null ? { status: "requested", errorCode: null, sid: null } : known;
  const status = news.status !== null && ranks[news.status] > ranks[base.status] ? news.status : base.status;
  const told = failed(news.status ?? "requested") ? news.errorCode : null;
  const errorCode = failed(status) ? larger(base.errorCode, told) : null;
  return { status, errorCode, sid: base.sid ?? news.sid };
}
