import type { ContactRefusal } from "@portal/contract/errors";
import { formatSoon } from "../../lib/format.ts";
import { type Translate, useTexts } from "../../lib/i18n.ts";
import { refusalTexts } from "./texts.ts";

export type Channel = "call" | "text";
type Texts = typeof refusalTexts.pairs;

/** Why a lead may not be called or texted, in words. */
export function refusalReason(t: Translate<Texts>, refusal: ContactRefusal, channel: Channel): string {
  const key = `${channel}_${refusal}`;
  return t(key in refusalTexts.pairs ? (key as ContactRefusal) : refusal);
}

/** A reason followed by when contact will be allowed, in the browser's zone; the reason alone where that cannot be said. */
export function withNextTime(
  t: Translate<Texts>,
  reason: string,
  allowedAt: string | null | undefined,
): string {
  return allowedAt ? `${reason} ${t("allowedAgain", { when: formatSoon(allowedAt) })}` : reason;
}

/** The words of a refusal, as a lead carries it: `words(lead.textRefusal, lead.textAllowedAt)`. */
export function useRefusalWords(channel: Channel) {
  const t = useTexts(refusalTexts);
  return (refusal: ContactRefusal, allowedAt: string | null) =>
    withNextTime(t, refusalReason(t, refusal, channel), allowedAt);
}
