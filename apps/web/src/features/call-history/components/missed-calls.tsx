import { useQuery } from "@tanstack/react-query";
import { PhoneMissed } from "lucide-react";
import { useId, useState } from "react";
import { formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { missedCallsQuery } from "../queries.ts";
import { historyTexts } from "../texts.ts";
import { CallBackButton } from "./call-back-button.tsx";

const shownAtFirst = 3;

/** Inbound calls that wait to be called back. Nothing is shown when there is none. */
export function MissedCalls() {
  const t = useTexts(historyTexts);
  const title = useId();
  const [all, setAll] = useState(false);
  const { data = [] } = useQuery(missedCallsQuery());
  const missed = data.filter((log) => log.missed);
  if (missed.length === 0) return null;
  return (
    <section
      aria-labelledby={title}
      className="grid gap-3 rounded-xl border border-danger-text/25 bg-surface p-4 shadow-card"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={title} className="flex items-center gap-2 font-semibold text-base">
          <PhoneMissed aria-hidden className="size-4 text-danger-text" />
          {t("missedTitle")}
          <Badge tone="danger" className="tabular-nums">
            <span aria-hidden>{missed.length}</span>
            <span className="sr-only">{t("missedCount", { count: missed.length })}</span>
          </Badge>
        </h2>
        <p className="text-muted-foreground text-sm max-sm:hidden">{t("missedHint")}</p>
      </header>
      <ul className="grid divide-y border-t">
        {missed.slice(0, all ? missed.length : shownAtFirst).map((log) => (
          <li key={log.id} className="flex items-center justify-between gap-3 py-2.5 text-sm">
            <span className="min-w-0">
              <span className="block truncate font-medium">
                {log.leadName || t("leadNumber", { id: log.leadId })}
              </span>
              <span className="text-muted-foreground text-xs">{formatRelative(log.callDate)}</span>
              {log.transcription ? <span className="block truncate text-xs">{log.transcription}</span> : null}
            </span>
            <CallBackButton leadId={log.leadId} name={log.leadName || t("leadNumber", { id: log.leadId })} />
          </li>
        ))}
      </ul>
      {missed.length > shownAtFirst ? (
        <Button variant="ghost" size="sm" className="justify-self-start" onClick={() => setAll(!all)}>
          {all ? t("showFewer") : `${t("showAll")} (${missed.length})`}
        </Button>
      ) : null}
    </section>
  );
}
