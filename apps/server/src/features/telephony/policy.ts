import type { AuthSession } from "../../platform/http/session.ts";
import type { CallRow } from "./outbound/repository.ts";
import type { LogFilter } from "./outcomes/log-repository.ts";

/** Administrators may act on every lead, consultants on those assigned to them. */
export function actsOnAnyLead(actor: AuthSession): boolean {
  return actor.role === "admin";
}

/** Whose calls a person may end and give outcomes to: their own; administrators everyone's. */
export function ownsCall(actor: AuthSession, call: Pick<CallRow, "userId">): boolean {
  return actor.role === "admin" || call.userId === actor.userId;
}

/** Whose logs a list shows. */
export function logScope(actor: AuthSession): LogFilter["scope"] {
  return actor.role === "admin" ? "everyone" : { userId: actor.userId };
}
