import type { ContactRefusal } from "@portal/contract/errors";
import { ApiError } from "../../../lib/api.ts";
import { formatSoon } from "../../../lib/format.ts";
import { currentLanguage, messagesOf, type Translate, useMessages } from "../../../lib/i18n.ts";
import { refusalMessages } from "./messages.ts";

export type Channel = "call" | "text";
type Messages = typeof refusalMessages.pairs;

/** Why a lead may not be called or texted, in words. */
function refusalReason(t: Translate<Messages>, refusal: ContactRefusal, channel: Channel): string {
  const key = `${channel}_${refusal}`;
  return t(key in refusalMessages.pairs ? (key as ContactRefusal) : refusal);
}

/** A reason followed by when contact will be allowed, in the browser's zone; the reason alone where that cannot be said. */
function withNextTime(t: Translate<Messages>, reason: string, allowedAt: string | null | undefined): string {
  return allowedAt ? `${reason} ${t("allowedAgain", { when: formatSoon(allowedAt) })}` : reason;
}

/**
 * Why a call or a text was not made, and when it may be: by its reason where there is one, else as `general` says it. In English the
 * server's own words are shown.
 */
export function contactFailureText(error: unknown, channel: Channel, general: string): string {
  const { reason, nextAllowedAt } = (error instanceof ApiError && error.body) || {};
  const t = messagesOf(refusalMessages);
  const message = reason && currentLanguage() === "es" ? refusalReason(t, reason, channel) : general;
  return withNextTime(t, message, nextAllowedAt);
}

/** The message of a refusal, as a lead carries it: `message(lead.textRefusal, lead.textAllowedAt)`. */
export function useRefusalMessage(channel: Channel) {
  const t = useMessages(refusalMessages);
  return (refusal: ContactRefusal, allowedAt: string | null) =>
    withNextTime(t, refusalReason(t, refusal, channel), allowedAt);
}
