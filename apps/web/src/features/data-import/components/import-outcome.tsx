import type { ImportResult } from "@portal/contract/entities/import";
import type { ImportFaultCode } from "@portal/contract/import-faults";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { ProgressBar } from "../../../ui/progress-bar.tsx";
import { failedRowsUrl, importQuery, tellEnd } from "../queries.ts";
import { importTexts, reasonTexts } from "../texts.ts";

const reasonsShown = 10;

/** What became of an import; one that goes on is followed to its end. */
export function ImportOutcome({ answer }: { answer: ImportResult }) {
  const t = useTexts(importTexts);
  const { data } = useQuery(importQuery(answer.running ? answer.importId : null));
  const result = data ?? answer;
  const ended = answer.running && data?.running === false ? data : null;
  useEffect(() => {
    if (ended) tellEnd(ended);
  }, [ended]);
  const figures = [
    ["imported", result.imported],
    ["updated", result.updated],
    ["skipped", result.skipped],
    ["errors", result.errors],
  ] as const;
  return (
    <section aria-label={t("resultTitle")} className="grid gap-4 rounded-lg border p-4">
      <h3 className="font-semibold text-sm">{t("resultTitle")}</h3>
      {result.running ? (
        <div className="grid gap-2 text-sm">
          <ProgressBar label={t("importing")} done={data?.processed ?? 0} total={result.total} />
          <p className="text-muted-foreground">
            {t("progress", { done: formatNumber(data?.processed ?? 0), total: formatNumber(result.total) })}
            {". "}
            {t("goesOn")}
          </p>
        </div>
      ) : null}
      <dl className="grid grid-cols-2 gap-3 tabular-nums sm:grid-cols-4">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="text-muted-foreground text-xs">{t(label)}</dt>
            <dd
              className={cn(
                "font-semibold text-xl leading-8",
                label === "errors" && value > 0 && "text-danger-text",
              )}
            >
              {formatNumber(value)}
            </dd>
          </div>
        ))}
      </dl>
      {result.errors > 0 && !result.running ? <Failures result={result} /> : null}
    </section>
  );
}

function Failures({ result }: { result: ImportResult }) {
  const t = useTexts(importTexts);
  // Every text may be given the value; only some show it.
  const reason = useTexts(reasonTexts) as (code: ImportFaultCode, values: { value: string }) => string;
  const shown = result.failures.slice(0, reasonsShown);
  const more = result.errors - shown.length;
  return (
    <div className="grid gap-3 text-sm">
      <ul className="grid gap-1">
        {shown.map(({ row, faults }) => (
          <li key={row} className="break-words">
            {t("row", {
              row,
              reason: faults.map(({ code, value }) => reason(code, { value: value ?? "" })).join("; "),
            })}
          </li>
        ))}
        {more > 0 ? (
          <li className="text-muted-foreground">{t("andMore", { count: formatNumber(more) })}</li>
        ) : null}
      </ul>
      <p className="text-muted-foreground">{t("failedHint")}</p>
      <div>
        <Button variant="secondary" asChild>
          <a href={failedRowsUrl(result.importId)} download>
            <Download aria-hidden />
            {t("downloadFailed")}
          </a>
        </Button>
      </div>
    </div>
  );
}
