import { retriedOutcomes, type SavedRetryRules } from "@portal/contract/entities/retry";
import { getRetryRules, saveRetryRules } from "@portal/contract/routes/retry-rules";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { RowsFailed } from "../../../ui/list-states.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { toast } from "../../../ui/toast.ts";
import { showNoChanges } from "./queries.ts";
import { isRule } from "./retry-draft.ts";
import { retryMessages } from "./retry-messages.ts";
import { RetryPreview } from "./retry-preview.tsx";
import { RetryRuleFields } from "./retry-rule-fields.tsx";
import { SettingsCard } from "./settings-card.tsx";

/** When leads are called again, for administrators. */
export function RetrySection() {
  const { data, error, refetch } = useQuery(routeQuery(getRetryRules));
  if (data) return <RetryForm saved={data} />;
  return error ? (
    <RowsFailed message={errorText(error)} error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton className="h-96 rounded-xl" />
  );
}

/** Saves the rules. What another person saved meanwhile is read, and stays beside what is typed here. */
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
