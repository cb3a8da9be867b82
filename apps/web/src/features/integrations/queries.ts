import type { DeletionDecision } from "@portal/contract/entities/crm";
import {
  decideDeletions,
  getCrmOutbox,
  getCrmStatus,
  getHeldDeletions,
  listCrmRejects,
  listSyncRuns,
  retryCrmChanges,
} from "@portal/contract/routes/crm";
import { getApiDocument } from "@portal/contract/routes/integrations";
import { listWebhookSources } from "@portal/contract/routes/lead-webhooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallInput, callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { heldMessages, overviewMessages } from "./messages.ts";

/** Whether the CRM answers; fetched on every visit. */
export function crmStatusQuery() {
  return { ...routeQuery(getCrmStatus), staleTime: 0 };
}

/** Changes on their way to the CRM; live. */
export function outboxQuery() {
  return { ...routeQuery(getCrmOutbox), staleTime: 0 };
}

/** Records of the CRM that could not be ingested; live. */
export function rejectsQuery() {
  return { ...routeQuery(listCrmRejects), staleTime: 0 };
}

/** The OpenAPI document of the running server. */
export function apiDocumentQuery() {
  return { ...routeQuery(getApiDocument), staleTime: 0 };
}

/** Webhook sources and how each authenticates. */
export function sourceAccessQuery() {
  return { ...routeQuery(listWebhookSources), staleTime: 0 };
}

/** Deletions that wait for a decision; for administrators, live. */
export function heldDeletionsQuery() {
  return { ...routeQuery(getHeldDeletions), staleTime: 0 };
}

/** Decides about held deletions: marks their leads, or keeps them. */
export function useDecideDeletions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ runId, decision }: { runId: number; decision: DeletionDecision }) =>
      callRoute(decideDeletions, { params: { id: runId }, body: { decision } }),
    onSuccess: (_answer, { decision }) => {
      const t = messagesOf(heldMessages);
      toast({ title: t(decision === "mark" ? "marking" : "left"), tone: "success" });
    },
    onError: (error) => {
      const t = messagesOf(heldMessages);
      toast({ title: t("failedTitle"), description: errorText(error), error, tone: "destructive" });
    },
    onSettled: () => void invalidatePaths(client, [getHeldDeletions.path, listSyncRuns.path]),
  });
}

/** Retries failed changes: one by its id, or all of the user's leads. */
export function useRetryChanges() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (which: CallInput<typeof retryCrmChanges>["body"]) =>
      callRoute(retryCrmChanges, { body: which }),
    onSuccess: ({ retried }) => {
      const t = messagesOf(overviewMessages);
      toast({ title: t("retriedTitle"), description: t("retriedText", { count: retried }), tone: "success" });
    },
    onError: (error) => {
      const t = messagesOf(overviewMessages);
      toast({ title: t("retryFailedTitle"), description: errorText(error), error, tone: "destructive" });
    },
    onSettled: () => void invalidatePaths(client, [getCrmOutbox.path]),
  });
}
