import type { WebhookSource, WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import {
  createSourceKey,
  listWebhookDeliveries,
  listWebhookSources,
  receiveHubspot,
  receiveLead,
  receivePipedrive,
  receiveSalesforce,
  removeSourceKey,
  replayWebhookDelivery,
  updateWebhookSource,
} from "@portal/contract/routes/lead-webhooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallInput, callRoute, routePath } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { postRaw } from "../../lib/raw-request.ts";
import { toast } from "../../ui/toast.ts";
import { deliveryMessages, sourceDialogMessages, webhookTestMessages } from "./messages.ts";

const addresses = {
  lead: receiveLead,
  salesforce: receiveSalesforce,
  hubspot: receiveHubspot,
  pipedrive: receivePipedrive,
} satisfies Record<WebhookSource, object>;

/** Sources with their keys' state and last delivery; live. */
export function sourcesQuery() {
  return { ...routeQuery(listWebhookSources), staleTime: 0 };
}

/** The latest deliveries of a source; live. */
export function deliveriesQuery(source: WebhookSource) {
  return { ...routeQuery(listWebhookDeliveries, { query: { source } }), staleTime: 0 };
}

function changeFailed(error: unknown): void {
  const t = messagesOf(sourceDialogMessages);
  toast({ title: t("failedTitle"), description: errorText(error), error, tone: "destructive" });
}

/** Creates or rotates a key; only this response contains it. */
export function useCreateKey(source: WebhookSourceName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(createSourceKey, { params: { source } }),
    // The key must not stay in memory after it was shown.
    gcTime: 0,
    onError: changeFailed,
    onSettled: () => invalidatePaths(client, [listWebhookSources.path]),
  });
}

export function useRemoveKey(source: WebhookSourceName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(removeSourceKey, { params: { source } }),
    onError: changeFailed,
    onSettled: () => invalidatePaths(client, [listWebhookSources.path]),
  });
}

export function useUpdateSource(source: WebhookSourceName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallInput<typeof updateWebhookSource>["body"]) =>
      callRoute(updateWebhookSource, { params: { source }, body }),
    onSuccess: () => {
      const t = messagesOf(sourceDialogMessages);
      toast({ title: t("savedTitle"), description: t("savedText"), tone: "success" });
    },
    onError: changeFailed,
    onSettled: () => invalidatePaths(client, [listWebhookSources.path]),
  });
}

/** Processes a delivery again. */
export function useReplay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callRoute(replayWebhookDelivery, { params: { id } }),
    onSuccess: () => {
      const t = messagesOf(deliveryMessages);
      toast({ title: t("replayedTitle"), description: t("replayedText"), tone: "success" });
    },
    onError: (error) => {
      const t = messagesOf(deliveryMessages);
      toast({ title: t("replayFailedTitle"), description: errorText(error), error, tone: "destructive" });
    },
    onSettled: () => invalidatePaths(client, [listWebhookDeliveries.path]),
  });
}

/** Sends a sample to the real address and returns the response. */
export function useSendTest(source: WebhookSource) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, createLead }: { body: string; createLead: boolean }) =>
      postRaw(routePath(addresses[source]), {
        body,
        contentType: "application/json",
        headers: createLead ? {} : { "X-Webhook-Test": "1" },
      }),
    onSuccess: ({ status, statusText }) => {
      const t = messagesOf(webhookTestMessages);
      const answered = { status: `${status} ${statusText}`.trim() };
      if (status >= 200 && status < 300)
        toast({ title: t("okTitle"), description: t("okText", answered), tone: "success" });
      else toast({ title: t("refusedTitle"), description: t("refusedText", answered), tone: "destructive" });
    },
    onError: (error) => {
      const t = messagesOf(webhookTestMessages);
      toast({ title: t("unreachableTitle"), description: t("unreachableText"), error, tone: "destructive" });
    },
    onSettled: () => invalidatePaths(client, [listWebhookDeliveries.path, listWebhookSources.path]),
  });
}
