import { loggedOutcomes } from "@portal/contract/entities/call";
import type { DialerSession, DialerSummary as Summary } from "@portal/contract/entities/dialer";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { formatDuration, formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { MetricList } from "../../../ui/metric-list.tsx";
import { outcomeMessages } from "../../telephony/call/messages.ts";
import { summaryQuery, useCloseDialer } from "../queries.ts";
import { skipCountMessages, summaryMessages } from "../setup-messages.ts";
import { LeadGroups } from "./lead-groups.tsx";
import { ActionBar } from "./session-actions.tsx";
import { StatusBadge, shownStatus } from "./session-header.tsx";

/** The summary of an ended session, until it is dismissed. */
export default function DialerSummary({ session }: { session: DialerSession }) {
  const t = useMessages(summaryMessages);
  const { data, isError, refetch } = useQuery(summaryQuery(session.id));
  const close = useCloseDialer(session.id);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches("[data-dialog]")) heading.current?.focus();
  }, []);
  return (
    <section className="flex min-h-full flex-col gap-4">
      <div className="grid justify-items-start gap-2">
        <StatusBadge status={shownStatus(session)} />
        <h3 ref={heading} tabIndex={-1} className="font-semibold text-lg leading-7">
          {t("title")}
        </h3>
      </div>
      {data ? (
        <SummaryFigures summary={data} />
      ) : isError ? (
        <p role="alert" className="flex flex-wrap items-center gap-x-3 text-danger-text text-sm">
          {t("failed")}
          <Button variant="link" size="inline" onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        </p>
      ) : (
        <div aria-busy="true" className="grid gap-3">
          <p role="status" className="sr-only">
            {t("loading")}
          </p>
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-28 w-full" />
        </div>
      )}
      <ActionBar>
        <Button
          size="lg"
          className="flex-1 sm:ml-auto sm:min-w-48 sm:flex-none"
          pending={close.isPending}
          onClick={() => close.mutate(undefined)}
        >
          {t("close")}
        </Button>
      </ActionBar>
    </section>
  );
}

function SummaryFigures({ summary }: { summary: Summary }) {
  const t = useMessages(summaryMessages);
  const counted = useMessages(skipCountMessages);
  const { dialled, reached, talkSeconds, callsPerHour, total, outcomes, skipped, failed } = summary;
  return (
    <>
      <MetricList
        metrics={[
          { label: t("dialled"), value: formatNumber(dialled), note: t("ofTotal", { total }) },
          { label: t("reached"), value: formatNumber(reached), note: t("ofTotal", { total: dialled }) },
          { label: t("talkTime"), value: formatDuration(talkSeconds) },
          {
            label: t("perHour"),
            value:
              callsPerHour === null
                ? t("noFigure")
                : formatNumber(callsPerHour, { maximumFractionDigits: callsPerHour < 10 ? 1 : 0 }),
            note: callsPerHour === null ? t("perHourLater") : null,
          },
        ]}
      />
      {outcomes.length > 0 ? <Outcomes outcomes={outcomes} dialled={dialled} /> : null}
      {skipped.length > 0 ? (
        <section className="grid gap-2">
          <h4 className="font-medium text-sm">{t("skipped")}</h4>
          <LeadGroups
            groups={skipped.map(({ reason, count, leads }) => ({
              key: reason,
              label: counted(reason, { count }),
              count,
              leads,
            }))}
          />
        </section>
      ) : null}
      {failed.length > 0 ? (
        <section className="grid gap-1.5">
          <h4 className="font-medium text-sm">
            {t("failedLeads")} ({failed.length})
          </h4>
          <p className="text-muted-foreground text-sm">{failed.map(({ name }) => name).join(", ")}</p>
        </section>
      ) : null}
      {summary.status === "stopped" && summary.remaining > 0 ? (
        <p className="text-muted-foreground text-sm">{t("remaining", { count: summary.remaining })}</p>
      ) : null}
    </>
  );
}

function Outcomes({ outcomes, dialled }: { outcomes: Summary["outcomes"]; dialled: number }) {
  const t = useMessages(summaryMessages);
  const label = useMessages(outcomeMessages);
  return (
    <section className="grid gap-2">
      <h4 className="font-medium text-sm">{t("outcomes")}</h4>
      <ul className="grid gap-1.5">
        {outcomes.map(({ outcome, count }) => {
          const known = loggedOutcomes.find((logged) => logged === outcome);
          return (
            <li key={outcome} className="grid grid-cols-[8rem_1fr_2rem] items-center gap-3 text-sm">
              <span className="truncate">{known ? label(known) : t("noOutcome")}</span>
              <span aria-hidden className="h-2 overflow-hidden rounded-full bg-border">
                <span
                  className="block h-full rounded-full bg-primary"
                  style={{ width: `${(100 * count) / Math.max(dialled, count)}%` }}
                />
              </span>
              <span className="text-right font-medium tabular-nums">{formatNumber(count)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
