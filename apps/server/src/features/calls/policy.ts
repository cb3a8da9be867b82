import type { Session } from "../../http/session.ts";
import type { CallRow } from "./data.ts";
import type { LogFilter } from "./data-log-filter.ts";

/** Administrators may act on every lead, consultants on those assigned to them (design §6). */
export function actsOnAnyLead(actor: Session): boolean {
  return actor.role === "admin";
}

/** Whose calls a person may end and give outcomes to: their own; administrators everyone's. */
export function ownsCall(actor: Session, call: Pick<CallRow, "userId">): boolean {
  return actor.role === "admin" || call.userId === actor.userId;
}

/** Whose logs a list shows. */
export function logScope(actor: Session): LogFilter["scope"] {
  return actor.role === "admin" ? "everyone" : { userId: actor.userId };
}

/**
 * Which phone is rung first: the consultant's own, else the office line. A line that is the caller id itself would ring nobody.
 * Answers null where there is no line to ring.
 */
export function repPhone(input: {
  personal: string | null;
  officeLine: string | null;
  callerId: string;
}): { number: string; line: CallRow["repLine"] } | null {
  if (input.personal && input.personal !== input.callerId)
    return { number: input.personal, line: "personal" };
  if (input.officeLine && input.officeLine !== input.callerId)
    return { number: input.officeLine, line: "office" };
  return null;
}
