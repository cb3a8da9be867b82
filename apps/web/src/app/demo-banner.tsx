import { FlaskConical } from "lucide-react";
import { isDemoMode } from "../features/leads/demo-mode.ts";
import { useTexts } from "../lib/i18n.ts";
import { shellTexts } from "./shell-texts.ts";

/** Says that the providers are stand-ins (design §4, Demo mode). */
export function DemoBanner() {
  const t = useTexts(shellTexts);
  if (!isDemoMode()) return null;
  return (
    <p className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-1.5 text-center text-warning-text text-xs">
      <FlaskConical aria-hidden className="hidden size-3.5 shrink-0 sm:block" />
      {t("demoBanner")}
    </p>
  );
}
