import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { ProgressBar } from "../../../ui/progress-bar.tsx";
import { importsQuery } from "../queries.ts";
import { importTexts } from "../texts.ts";

/** How far the import under way is: at first it is sent, then the newest that runs is it. */
export function ImportProgress() {
  const t = useTexts(importTexts);
  const { data } = useQuery(importsQuery());
  const running = data?.find((entry) => entry.running);
  return (
    <div className="grid gap-2 text-sm" aria-live="polite">
      <ProgressBar label={t("importing")} done={running?.processed ?? 0} total={running?.total ?? 0} />
      <p className="text-muted-foreground">
        {running
          ? t("progress", { done: formatNumber(running.processed), total: formatNumber(running.total) })
          : t("sending")}
      </p>
    </div>
  );
}
