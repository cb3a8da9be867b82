import { TriangleAlert } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { crmSyncTexts } from "../texts.ts";

interface SyncIssuesProps {
  issues: readonly string[];
  onDismiss: () => void;
}

/** What the last sync could not take in whole; the toast only counts it. */
export function SyncIssues({ issues, onDismiss }: SyncIssuesProps) {
  const t = useTexts(crmSyncTexts);
  if (issues.length === 0) return null;
  return (
    <div className="flex items-start gap-3 rounded-xl bg-warning-soft p-3 text-sm text-warning-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <details className="min-w-0 flex-1">
        <summary className="cursor-pointer font-medium">{t("leadIssues", { count: issues.length })}</summary>
        <ul className="mt-2 max-h-48 list-disc overflow-y-auto pl-4">
          {[...new Set(issues)].map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      </details>
      <Button variant="ghost" size="sm" className="-my-1 text-inherit" onClick={onDismiss}>
        {t("dismiss")}
      </Button>
    </div>
  );
}
