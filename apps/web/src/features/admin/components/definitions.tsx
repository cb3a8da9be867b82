import { useTexts } from "../../../lib/i18n.ts";
import { monitorTexts } from "../texts.ts";

const keys = [
  "how_status",
  "how_active",
  "how_live",
  "how_processed",
  "how_calls",
  "how_conversionRate",
  "how_conversions",
  "how_followUps",
  "how_productivity",
] as const;

/** What each figure of the panel counts. */
export function Definitions() {
  const t = useTexts(monitorTexts);
  return (
    <details className="rounded-lg border bg-surface px-4 py-2 text-sm">
      <summary className="cursor-pointer py-2 font-medium pointer-coarse:py-3">{t("howTitle")}</summary>
      <ul className="grid list-disc gap-1.5 pt-1 pb-2 pl-5 text-muted-foreground">
        {keys.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
    </details>
  );
}
