import type { Lead } from "@portal/contract/entities/lead";
import type { ContactRefusal } from "@portal/contract/errors";
import { useRefusalWords } from "../call-dialog/refusal-words.ts";
import { usePassed } from "../call-dialog/use-passed.ts";

/** Why this lead may not be texted now, and when again, in words; null where they may. */
export function useTextRefusal(
  lead: Pick<Lead, "textRefusal" | "textAllowedAt">,
): { refusal: ContactRefusal; words: string } | null {
  const words = useRefusalWords("text");
  const { textRefusal, textAllowedAt } = lead;
  const passed = usePassed(textAllowedAt);
  return textRefusal && !passed ? { refusal: textRefusal, words: words(textRefusal, textAllowedAt) } : null;
}
