import type { ImportResult } from "@portal/contract/entities/import";
import type { ImportFaultCode } from "@portal/contract/import-faults";
import { useQuery } from "@tanstack/react-query";
import { Download, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { MetricList } from "../../../ui/metric-list.tsx";
import { ProgressBar } from "../../../ui/progress-bar.tsx";
import { importMessages, reasonMessages } from "../messages.ts";
import { failedRowsUrl, importQuery, importsQuery, showOutcome } from "../queries.ts";

const reasonsShown = 10;

/** The result of an import; a running one is followed to its end. */
export function ImportOutcome({ answer, brokenRows }: { answer: ImportResult; brokenRows: number[] }) {
  const t = useMessages(importMessages);
  const { data } = useQuery(importQuery(answer.running ? answer.importId : null));
  const result = data ?? answer;
  const ended = answer.running && data?.running === false ? data : null;
  useEffect(() => {
    if (ended) showOutcome(ended);
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
      {result.gaveUp ? <p className="text-danger-text text-sm">{t("gaveUp")}</p> : null}
      <MetricList
        metrics={figures.map(([key, value]) => ({
          label: t(key),
          value: formatNumber(value),
          isBad: key === "errors" && value > 0,
        }))}
      />
      {result.unreadablePhones > 0 ? (
        <p className="text-sm">{t("unreadablePhones", { count: result.unreadablePhones })}</p>
      ) : null}
      <BrokenRows rows={brokenRows} />
      {result.errors > 0 && !result.running ? <Failures result={result} /> : null}
    </section>
  );
}

function Failures({ result }: { result: ImportResult }) {
  const t = useMessages(importMessages);
  // All texts accept the value; only some show it.
  const reason = useMessages(reasonMessages) as (code: ImportFaultCode, values: { value: string }) => string;
  const shown = result.failures.slice(0, reasonsShown);
  const more = result.errors - shown.length;
  return (
    <div className="grid gap-3 text-sm">
      <ul className="grid gap-1">
        {shown.map(({ row, faults }) => (
          <li key={row} className="break-words">
            {t("row", {
              row: String(row),
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

const shownRows = 20;

/** Lists rows with bytes that are invalid in the encoding; nothing without any. */
export function BrokenRows({ rows }: { rows: number[] }) {
  const t = useMessages(importMessages);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, shownRows).map(String);
  const more = rows.length - shown.length;
  const list = [...shown, ...(more > 0 ? [t("andMore", { count: formatNumber(more) })] : [])].join(", ");
  return <Warning text={t("brokenRows", { count: rows.length, rows: list })} />;
}

export function Warning({ text }: { text: string }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  );
}

/** Progress of the current import: first the upload, then the newest running one. */
export function ImportProgress() {
  const t = useMessages(importMessages);
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
