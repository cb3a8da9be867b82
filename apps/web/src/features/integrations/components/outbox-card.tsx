import type { CrmChange } from "@portal/contract/entities/crm";
import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { RelativeTime, useRelativeTime } from "../../../lib/clock.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { PartFailed, Skeleton } from "../../../ui/list-states.tsx";
import { MetricList } from "../../../ui/metric-list.tsx";
import { contactFault } from "../contact-fault-messages.ts";
import { changeFieldMessages, crmReason, overviewMessages } from "../messages.ts";
import { outboxQuery, rejectsQuery, useRetryChanges } from "../queries.ts";

/** Changes for GHL: how many are pending, which failed and why, and a retry. */
export function OutboxCard() {
  const t = useMessages(overviewMessages);
  const found = useQuery(outboxQuery());
  const { data, error } = found;
  const oldest = useRelativeTime(data?.oldestPendingAt);
  const retry = useRetryChanges();
  return (
    <Card>
      <CardHeader className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <CardTitle>{t("outboxTitle")}</CardTitle>
          <CardDescription>{t("outboxText")}</CardDescription>
        </div>
        {data && data.failed > 0 ? (
          <Button
            variant="secondary"
            pending={retry.isPending && !retry.variables?.id}
            onClick={() => retry.mutate({})}
          >
            <RotateCw aria-hidden />
            {t("retryAll")}
          </Button>
        ) : null}
      </CardHeader>
      <CardContent className="grid gap-4">
        {!data && error ? <PartFailed found={found} text={t("outboxFailed")} /> : null}
        {!data && !error ? <Skeleton className="h-16" /> : null}
        {data ? (
          <MetricList
            columns={3}
            metrics={[
              {
                label: t("pending"),
                value: formatNumber(data.pending),
                note: data.oldestPendingAt ? t("pendingSince", { when: oldest }) : null,
              },
              { label: t("refused"), value: formatNumber(data.failed), isBad: data.failed > 0 },
              { label: t("sentToday"), value: formatNumber(data.sentToday) },
            ]}
          />
        ) : null}
        {data && data.failures.length > 0 ? (
          <ul className="grid divide-y border-t">
            {data.failures.map((change) => (
              <Failure
                key={change.id}
                change={change}
                pending={retry.isPending && retry.variables?.id === change.id}
                onRetry={() => retry.mutate({ id: change.id })}
              />
            ))}
          </ul>
        ) : null}
        <Rejects />
      </CardContent>
    </Card>
  );
}

interface FailureProps {
  change: CrmChange;
  pending: boolean;
  onRetry: () => void;
}

function Failure({ change, pending, onRetry }: FailureProps) {
  const t = useMessages(overviewMessages);
  const field = useMessages(changeFieldMessages)(change.field);
  return (
    <li className="flex items-center justify-between gap-3 py-3 text-sm">
      <div className="min-w-0">
        <p className="truncate">
          <LeadLink leadId={change.leadId} className="font-medium">
            {change.leadName}
          </LeadLink>
          <span className="text-muted-foreground"> · {field}</span>
        </p>
        <p className="break-words text-danger-text text-xs">
          {change.reason ? crmReason(change.reason) : null}
        </p>
        <p className="text-muted-foreground text-xs">
          <RelativeTime at={change.createdAt} /> · {t("attempts", { count: change.attempts })}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t("retryOf", { field, name: change.leadName })}
        pending={pending}
        onClick={onRetry}
      >
        {t("retry")}
      </Button>
    </li>
  );
}

/** Records from GHL that could not be read. */
function Rejects() {
  const t = useMessages(overviewMessages);
  const { data = [] } = useQuery(rejectsQuery());
  if (data.length === 0) return null;
  return (
    <details className="rounded-lg bg-warning-soft p-3 text-sm text-warning-text">
      <summary className="cursor-pointer font-medium pointer-coarse:py-3">
        {t("rejects", { count: data.length })}
      </summary>
      <p className="mt-1 text-xs">{t("rejectsText")}</p>
      <ul className="mt-2 grid max-h-60 gap-1 overflow-y-auto text-xs">
        {data.map(({ id, externalId, reason, at }) => (
          <li key={id} className="break-words">
            <code>{externalId ?? t("withoutId")}</code> · {contactFault(reason)} · <RelativeTime at={at} />
          </li>
        ))}
      </ul>
    </details>
  );
}
