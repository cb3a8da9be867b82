import type { SyncRun } from "@portal/contract/entities/crm";
import { useQuery } from "@tanstack/react-query";
import { RelativeTime } from "../../../lib/clock.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { type MessageKey, useMessages } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Spinner } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { PartFailed, Skeleton } from "../../../ui/list-states.tsx";
import { SyncButton } from "../../crm/components/sync-button.tsx";
import { crmSyncMessages } from "../../crm/messages.ts";
import { syncRunsQuery, useCrmSync } from "../../crm/queries.ts";
import { syncFaultText } from "../../crm/sync-messages.ts";
import { contactFault } from "../contact-fault-messages.ts";
import { overviewMessages } from "../messages.ts";

const shown = 8;

const tones: Record<SyncRun["state"], BadgeTone> = {
  running: "info",
  done: "plain",
  failed: "danger",
  held: "warning",
};

/** Of scheduled runs without results only the newest is shown, as proof that the schedule works. */
function worthShowing(runs: readonly SyncRun[]): SyncRun[] {
  const isQuiet = ({ requestedBy, state, synced, deleted, errors }: SyncRun) =>
    requestedBy === null && state === "done" && synced + deleted + errors.length === 0;
  return runs.filter((run, index) => index === 0 || !isQuiet(run)).slice(0, shown);
}

/** Whether the schedule is active: it starts after the first completed run of contacts. */
const isScheduled = (runs: readonly SyncRun[]) =>
  runs.some(
    ({ kind, state, requestedBy }) =>
      kind !== "recordings" && (state === "done" || (kind === "changes" && requestedBy === null)),
  );

/** The latest runs of all users and of the schedule with their figures; running ones are live. */
export function SyncRuns() {
  const t = useMessages(overviewMessages);
  const sync = useMessages(crmSyncMessages);
  const changes = useCrmSync("changes");
  const found = useQuery(syncRunsQuery());
  const { data, error } = found;
  return (
    <Card>
      <CardHeader className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <CardTitle>{t("runsTitle")}</CardTitle>
          {data && isScheduled(data) ? <CardDescription>{t("runsText")}</CardDescription> : null}
        </div>
        <SyncButton
          label={sync("syncChanges")}
          phase={changes.state.phase}
          onSync={() => void changes.start()}
        />
      </CardHeader>
      <CardContent>
        {!data && error ? <PartFailed found={found} text={t("runsFailed")} /> : null}
        {!data && !error ? <Skeleton className="h-40" /> : null}
        {data?.length === 0 ? <p className="text-muted-foreground text-sm">{t("noRuns")}</p> : null}
        {data && data.length > 0 ? (
          <ul aria-label={t("runsTitle")} className="grid divide-y">
            {worthShowing(data).map((run) => (
              <Run key={run.id} run={run} />
            ))}
          </ul>
        ) : null}
      </CardContent>
    </Card>
  );
}

function Run({ run }: { run: SyncRun }) {
  const t = useMessages(overviewMessages);
  return (
    <li className="grid gap-1 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{t(run.kind)}</span>
        <Badge tone={tones[run.state]}>
          {run.state === "running" ? <Spinner decorative /> : null}
          {t(run.state)}
        </Badge>
        <span className="text-muted-foreground text-xs sm:ml-auto">
          <RelativeTime at={run.startedAt} />,{" "}
          {run.requestedBy ? t("byName", { name: run.requestedBy.name }) : t("bySchedule")}
        </span>
      </div>
      <p
        aria-live={run.state === "running" ? "polite" : undefined}
        className="text-muted-foreground tabular-nums"
      >
        <Figures run={run} />
      </p>
      {run.state === "failed" || run.state === "held" ? (
        <p className="text-danger-text">{run.fault ? syncFaultText(run.fault) : run.message}</p>
      ) : null}
      {run.errors.length > 0 ? (
        <details className="text-warning-text">
          <summary className="cursor-pointer pointer-coarse:py-3.5">
            {t("issues", { count: run.errors.length })}
          </summary>
          <p className="mt-1">{t("issuesText")}</p>
          <ul className="mt-1 max-h-48 list-disc overflow-y-auto pl-5 text-muted-foreground">
            {[...new Set(run.errors)].map((error) => (
              <li key={error}>{contactFault(error)}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  );
}

type Counted = Extract<MessageKey<(typeof overviewMessages)["pairs"]>, "created" | "changed" | "gone">;

/** What a run ingested; zero counts are left out. */
function Figures({ run }: { run: SyncRun }) {
  const t = useMessages(overviewMessages);
  const part = (key: Counted, count: number) => (count > 0 ? [t(key, { count: formatNumber(count) })] : []);
  const whole = { count: run.synced, n: formatNumber(run.synced) };
  if (run.kind === "recordings") return t("recordingsFound", whole);
  return [
    t("contacts", whole),
    ...part("created", run.created),
    ...part("changed", run.changed),
    ...part("gone", run.deleted),
  ].join(" · ");
}
