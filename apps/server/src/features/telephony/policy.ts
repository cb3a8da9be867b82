import { spokenLanguage } from "../../domain/phone.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { CallRow } from "./outbound/repository.ts";
import type { LogFilter } from "./outcomes/log-repository.ts";

/** Administrators may act on every lead, consultants on those assigned to them. */
export function actsOnAnyLead(actor: AuthSession): boolean {
  return actor.role === "admin";
}

/** Whether the actor may end a call and give its outcome: their own; administrators any. */
export function ownsCall(actor: AuthSession, call: Pick<CallRow, "userId">): boolean {
  return actor.role === "admin" || call.userId === actor.userId;
}

/** Whose logs a list shows. */
export function logScope(actor: AuthSession): LogFilter["scope"] {
  return actor.role === "admin" ? "everyone" : { userId: actor.userId };
}

export type Market = "US" | "ES" | "OPEN";

const general = {
  en: "This call may be recorded to improve our service.",
  es: "Esta llamada puede ser grabada para mejorar nuestro servicio.",
};

/** Recording notices by market. */
const notices: Record<Market, { en: string; es: string }> = {
  US: general,
  ES: {
    en: "This call will be recorded to improve our service. You may hang up if you do not agree, and ask us about your data at any time.",
    es: "Esta llamada será grabada para mejorar nuestro servicio. Si no está de acuerdo, puede colgar, y consultarnos sobre sus datos en cualquier momento.",
  },
  OPEN: general,
};

/** The language for a lead: its own, else by its number and market. `number` is E.164. */
export function leadLanguage(
  market: Market,
  lead: { language: "en" | "es" | null; number: string | null },
): "en" | "es" {
  const organization = market === "ES" ? "es" : "en";
  return spokenLanguage({ known: lead.language, number: lead.number, organization });
}

/** The recording notice for a lead, in its language. */
export function recordingNotice(
  market: Market,
  lead: { language: "en" | "es" | null; number: string | null },
): { text: string; language: "en" | "es" } {
  const language = leadLanguage(market, lead);
  return { text: notices[market][language], language };
}
