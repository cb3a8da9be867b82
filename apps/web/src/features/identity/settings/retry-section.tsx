import {
  nextTryKinds,
  type RetryCounts,
  type RetryRules,
  retriedOutcomes,
  type SavedRetryRules,
} from "@portal/contract/entities/retry";
import { getRetryRules, previewRetryRules, saveRetryRules } from "@portal/contract/routes/retry-rules";
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { ApiError, callRoute } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { errorText } from "../../../lib/errors.ts";
import { formatNumber, formatSoon } from "../../../lib/format.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { RowsFailed, Skeleton } from "../../../ui/list-states.tsx";
import { toast } from "../../../ui/toast.ts";
import { outcomeMessages } from "../../telephony/call/messages.ts";
import { showNoChanges } from "./queries.ts";
import { retryMessages, retryPreviewMessages } from "./retry-messages.ts";
import { RetryRuleFields } from "./retry-rule-fields.tsx";
import { isRule, SettingsCard } from "./settings-card.tsx";

/** When leads are called again; for administrators. */
export function RetrySection() {
  const { data, error, refetch } = useQuery(routeQuery(getRetryRules));
  if (data) return <RetryForm saved={data} />;
  return error ? (
    <RowsFailed message={errorText(error)} error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton className="h-96 rounded-xl" />
  );
}

/** Saves the rules. If somebody else saved meanwhile, their version is fetched and the input stays. */
function useSaveRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SavedRetryRules) => callRoute(saveRetryRules, { body }),
    onSuccess: async (saved) => {
      const t = messagesOf(retryMessages);
      toast({ title: t("savedTitle"), description: t("saved"), tone: "success" });
      client.setQueryData([getRetryRules.path], saved);
      await invalidatePaths(client, ["/api/dialer"]);
    },
    onError: async (error) => {
      const t = messagesOf(retryMessages);
      const isMeanwhile = error instanceof ApiError && error.code === "changed_meanwhile";
      toast({
        title: t("failedTitle"),
        description: isMeanwhile ? t("othersSaved") : errorText(error, t("failed")),
        error,
        tone: "destructive",
      });
      if (isMeanwhile) await invalidatePaths(client, [getRetryRules.path]);
    },
  });
}

function RetryForm({ saved }: { saved: SavedRetryRules }) {
  const t = useMessages(retryMessages);
  const [rules, setRules] = useState(saved.rules);
  const save = useSaveRules();
  const isRight = retriedOutcomes.every((outcome) => isRule(rules[outcome]));
  const isChanged = JSON.stringify(rules) !== JSON.stringify(saved.rules);

  const submit = () => {
    if (!isChanged) showNoChanges();
    else save.mutate({ rules, version: saved.version });
  };

  return (
    <SettingsCard
      title={t("title")}
      description={t("description")}
      saveLabel={t(save.isPending ? "saving" : "save")}
      isPending={save.isPending}
      isDisabled={!isRight}
      onSave={submit}
    >
      {retriedOutcomes.map((outcome) => (
        <RetryRuleFields
          key={outcome}
          outcome={outcome}
          rule={rules[outcome]}
          onChange={(rule) => setRules((now) => ({ ...now, [outcome]: rule }))}
        />
      ))}
      {isChanged && isRight ? <RetryPreview rules={rules} version={saved.version} /> : null}
    </SettingsCard>
  );
}

/** Delay after typing before the preview is requested. */
const restMs = 400;

function useRested(rules: RetryRules): RetryRules {
  const [rested, setRested] = useState(rules);
  useEffect(() => {
    const timer = setTimeout(() => setRested(rules), restMs);
    return () => clearTimeout(timer);
  }, [rules]);
  return rested;
}

const previewQuery = (rules: RetryRules, version: number) =>
  queryOptions({
    queryKey: [previewRetryRules.path, { rules, version }],
    queryFn: () => callRoute(previewRetryRules, { body: { rules } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

const isConcerned = (counts: RetryCounts) => nextTryKinds.some((kind) => counts[kind] > 0);

/** Compares the effect of the edited rules on current leads with that of the saved ones (of this version). */
function RetryPreview({ rules, version }: { rules: RetryRules; version: number }) {
  const t = useMessages(retryPreviewMessages);
  const label = useMessages(outcomeMessages);
  const title = useId();
  const rested = useRested(rules);
  const { data, isError, isPlaceholderData, refetch } = useQuery(previewQuery(rested, version));
  const groups = data?.groups.filter(({ before, after }) => isConcerned(before) || isConcerned(after));
  const isOld = isPlaceholderData || rested !== rules;
  return (
    <section
      aria-labelledby={title}
      aria-busy={isOld}
      className={cn("grid gap-3 rounded-xl bg-muted/60 p-4 transition-opacity", isOld && "opacity-60")}
    >
      <div className="grid gap-0.5">
        <h3 id={title} className="font-medium text-sm">
          {t("title")}
        </h3>
        <p className="text-[0.8125rem] text-muted-foreground">{t("hint")}</p>
      </div>
      {isError && !data ? (
        <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-sm">
          {t("failed")}
          <Button variant="link" size="sm" className="px-0" onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        </p>
      ) : (
        <div role="status" className="grid gap-3 text-sm">
          {groups === undefined ? <p className="text-muted-foreground">{t("loading")}</p> : null}
          {groups?.length === 0 ? <p>{t("nobody")}</p> : null}
          {groups?.map(({ outcome, before, after }) => (
            <div key={outcome} className="grid gap-1">
              <p className="font-medium">{outcome === "others" ? t("others") : label(outcome)}</p>
              <dl className="flex flex-wrap gap-x-5 gap-y-1">
                {nextTryKinds
                  .filter((kind) => before[kind] > 0 || after[kind] > 0)
                  .map((kind) => (
                    <Count key={kind} kind={kind} before={before} after={after} />
                  ))}
              </dl>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

interface CountProps {
  kind: (typeof nextTryKinds)[number];
  before: RetryCounts;
  after: RetryCounts;
}

/** 'Waiting 12 → 4, first 2:12 PM': the current count, the new one, and when the first of these leads would be called. */
function Count({ kind, before, after }: CountProps) {
  const t = useMessages(retryPreviewMessages);
  const [from, to] = [formatNumber(before[kind]), formatNumber(after[kind])];
  const until = kind === "waiting" ? after.waitingUntil : kind === "resting" ? after.restingUntil : null;
  return (
    <div className="flex flex-wrap items-baseline gap-x-1.5">
      <dt className="text-muted-foreground">{t(kind)}</dt>
      <dd className={cn("tabular-nums", from !== to && "font-medium")}>
        {from === to ? t("same", { count: to }) : t("changed", { before: from, after: to })}
        {until ? (
          <span className="font-normal text-muted-foreground text-xs">
            {" "}
            · {t("first", { when: formatSoon(until) })}
          </span>
        ) : null}
      </dd>
    </div>
  );
}
