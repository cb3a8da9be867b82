import type { Lead } from "@portal/contract/entities/lead";
import type { Message } from "@portal/contract/entities/message";
import { limits } from "@portal/contract/limits";
import { getLead, listLeads } from "@portal/contract/routes/leads";
import {
  attachUnknownMessage,
  dismissUnknownMessage,
  listMessages,
  listUnknownMessages,
  markMessagesRead,
  sendMessage,
} from "@portal/contract/routes/sms";
import {
  createSmsTemplate,
  deleteSmsTemplate,
  listFilledTemplates,
  listSmsTemplates,
  updateSmsTemplate,
} from "@portal/contract/routes/sms-templates";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, type CallInput, callRoute, routePath } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routePages, routeQuery } from "../../lib/query-client.ts";
import { newClientRef } from "../../lib/use-client-ref.ts";
import { toast } from "../../ui/toast.ts";
import { contactFailureText } from "../telephony/call/messages.ts";
import { inboxMessages, smsMessages, templateDialogMessages } from "./messages.ts";
import { type OpenRequest, readOpenRequest, saveDraft, saveOpenRequest } from "./thread-state.ts";

const inboxPath = "/api/sms";

/** The SMS with a lead; live, and polled while the dialog is open. */
export function threadQuery(leadId: number) {
  return {
    ...routeQuery(listMessages, { params: { id: leadId } }),
    staleTime: 0,
    refetchInterval: limits.smsPollMs,
  };
}

/** The lead of an open thread; whether they may be texted can change meanwhile. */
export function threadLeadQuery(lead: Lead) {
  return { ...routeQuery(getLead, { params: { id: lead.id } }), staleTime: 0, placeholderData: lead };
}

export function inboxPages() {
  return { ...routePages(listUnknownMessages), staleTime: 0 };
}

/** Leads to attach an SMS to. */
export function leadSearchQuery(search: string) {
  return {
    ...routeQuery(listLeads, { query: { search, limit: 6 } }),
    enabled: search.trim() !== "",
    staleTime: limits.leadsStaleMs,
  };
}

/** Whether a failed request may have been executed; the next attempt then uses the same reference. */
function isUncertain(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === undefined || error.status === 500;
}

interface Outgoing {
  message: string;
  overrideReason?: string | undefined;
  /** The template version that the message was made from. */
  templateVersionId?: number | undefined;
  /** The message is not the composer's text, which stays. */
  keepsDraft?: boolean;
}

/**
 * Sends an SMS once: a retry after a lost response, a closed dialog or a reload has the same reference. Resolves when the thread shows it.
 */
export function useSendSms(leadId: number) {
  const client = useQueryClient();
  const open = useRef<OpenRequest | null>(null);
  const params = { id: leadId };
  const path = routePath(listMessages, params);
  return useMutation<Message, unknown, Outgoing>({
    mutationFn: async ({ message, overrideReason, templateVersionId }) => {
      const known = open.current ?? readOpenRequest(leadId);
      const clientRef = known?.message === message ? known.clientRef : newClientRef();
      const remember = (request: OpenRequest | null) => {
        open.current = request;
        saveOpenRequest(leadId, request);
      };
      remember({ message, clientRef });
      try {
        const body = { message, clientRef, overrideReason, templateVersionId };
        const sent = await callRoute(sendMessage, { params, body });
        remember(null);
        return sent;
      } catch (error) {
        if (!isUncertain(error)) remember(null);
        throw error;
      }
    },
    onSuccess: ({ status }, { keepsDraft }) => {
      // Here instead of in the dialog, which may have been closed.
      if (status !== "failed" && !keepsDraft) saveDraft(leadId, "");
    },
    onError: (error) => {
      const t = messagesOf(smsMessages);
      toast({
        title: t("errorTitle"),
        description: contactFailureText(error, "text", errorText(error, t("sendFailed"))),
        error,
        tone: "destructive",
      });
    },
    // The refetch is awaited, so that the sent SMS stays on screen between the pending bubble and the thread.
    onSettled: () => invalidatePaths(client, [path, routePath(getLead, params)]),
  });
}

/** Marks the lead's SMS as read. */
export function useMarkRead(leadId: number) {
  return useMutation({ mutationFn: () => callRoute(markMessagesRead, { params: { id: leadId } }) });
}

function failed(error: unknown): void {
  const t = messagesOf(inboxMessages);
  toast({
    title: t("failedTitle"),
    description: errorText(error, t("failedText")),
    error,
    tone: "destructive",
  });
}

/** Attaches a waiting SMS, and all others of its number, to a lead. */
export function useAttachSms() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, lead }: { id: number; lead: Lead }) =>
      callRoute(attachUnknownMessage, { params: { id }, body: { leadId: lead.id } }),
    onSuccess: (_answer, { lead }) => {
      const t = messagesOf(inboxMessages);
      toast({
        title: t("attachedTitle"),
        description: t("attachedText", { name: lead.name }),
        tone: "success",
      });
    },
    onError: failed,
    onSettled: () => invalidatePaths(client, [inboxPath, listLeads.path]),
  });
}

export function useDismissSms() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callRoute(dismissUnknownMessage, { params: { id } }),
    onError: failed,
    onSettled: () => invalidatePaths(client, [inboxPath]),
  });
}

export const templatesQuery = () => routeQuery(listSmsTemplates);

/** The templates filled for a lead; fetched on every mount, as the lead's data changes. */
export function filledTemplatesQuery(leadId: number) {
  return { ...routeQuery(listFilledTemplates, { params: { id: leadId } }), staleTime: 0 };
}

type TemplateChange =
  | { kind: "create"; body: NonNullable<CallInput<typeof createSmsTemplate>["body"]> }
  | { kind: "update"; id: number; body: NonNullable<CallInput<typeof updateSmsTemplate>["body"]> }
  | { kind: "delete"; id: number };

/** Saves or deletes a template. */
export function useChangeTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: TemplateChange): Promise<unknown> => {
      if (change.kind === "create") return callRoute(createSmsTemplate, { body: change.body });
      const params = { id: change.id };
      if (change.kind === "delete") return callRoute(deleteSmsTemplate, { params });
      return callRoute(updateSmsTemplate, { params, body: change.body });
    },
    onError: (error) => {
      const t = messagesOf(templateDialogMessages);
      toast({
        title: t("failedTitle"),
        description: errorText(error, t("failedText")),
        error,
        tone: "destructive",
      });
    },
    onSettled: () => invalidatePaths(client, [listSmsTemplates.path]),
  });
}
