import type { Call, CallLog, SavedOutcome } from "@portal/contract/entities/call";
import type { Lead } from "@portal/contract/entities/lead";
import { endCall, getCall, getLiveCall, listCallLogs } from "@portal/contract/routes/calls";
import { getDashboardStats } from "@portal/contract/routes/leads";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../../lib/api.ts";
import { errorText, recordedText } from "../../../lib/errors.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { readChangedLeads, showSavedLead } from "../../../lib/lead-updates.ts";
import { type Saved, saveWrite, type WaitReason } from "../../../lib/offline/queue.ts";
import { type LeadChange, seenOf } from "../../../lib/offline/queue-item.ts";
import { currentUserQuery, invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { sayWaiting } from "../../../ui/waiting-toast.ts";
import { isChecking } from "./call-state.ts";
import { callMessages, contactFailureText } from "./messages.ts";
import { correctLastOutcome, lastOutcome, type OutcomeReport } from "./outcome-store.ts";

/** Polling interval of a live call in case events are missed, in ms. */
const livePollMs = 5_000;

/** The consultant's live call: after a reload, in another tab, and behind a closed dialog. */
export function liveCallQuery() {
  return {
    ...routeQuery(getLiveCall),
    staleTime: 0,
    refetchInterval: (query: {
      state: { data?: { call: unknown; inboundCalls?: unknown[] } | undefined };
    }) => (query.state.data?.call || query.state.data?.inboundCalls?.length ? livePollMs : (false as const)),
  };
}

/** One call, polled until it has ended and detection has a result; disabled without an id. */
export function callQuery(id: number | null) {
  return {
    ...routeQuery(getCall, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }: { state: { data?: Call | undefined } }) =>
      data?.state === "ended" && !isChecking(data) && data.message?.state !== "leaving"
        ? (false as const)
        : livePollMs,
  };
}

/** Ends the call at the provider, and tells the consultant, as recorded, to hang up the phone that was rung. */
export function useEndCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number; officeLine: string | null }) => callRoute(endCall, { params: { id } }),
    onMutate: ({ officeLine }) => {
      const t = messagesOf(callMessages);
      toast({ title: t("statusTitle"), description: t(officeLine ? "statusOffice" : "statusText") });
    },
    onError: sayNotEnded,
    onSettled: (_call, _error, { id }) => invalidatePaths(client, [`/api/calls/${id}`, getLiveCall.path]),
  });
}

/** Shows that a call could not be ended. */
export function sayNotEnded(error: unknown): void {
  const t = messagesOf(callMessages);
  const description = recordedText(error, t("endFailedText"));
  toast({ title: t("statusTitle"), description, error, tone: "destructive" });
}

/** Why a call failed, and from when it is allowed. */
export function callFailureText(error: unknown): string {
  return contactFailureText(error, "call", recordedText(error, messagesOf(callMessages)("failedText")));
}

/** Shows that a write is queued; if the session has ended, the login screen appears. */
export function showWaiting(client: QueryClient, reason: WaitReason): void {
  sayWaiting(reason);
  if (reason === "session") void client.invalidateQueries({ queryKey: currentUserQuery().queryKey });
}

/** Saves the plan for a lead after a call. The caller shows that it was saved; a queued write is shown here. */
export function useSaveLeadPlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ lead, change }: { lead: Lead; change: LeadChange }) =>
      saveWrite<Lead>(client, {
        leadId: lead.id,
        leadName: lead.name,
        write: { kind: "change", change, seen: seenOf(lead, change) },
      }),
    onSuccess: (saved, { lead }) => {
      if (saved.state === "waiting") return showWaiting(client, saved.reason);
      const counted = Promise.resolve();
      return saved.answer
        ? showSavedLead(client, saved.answer)
        : readChangedLeads(client, [lead.id], counted);
    },
    onError: (error) => {
      const t = messagesOf(callMessages);
      toast({
        title: t("saveFailedTitle"),
        description: errorText(error, t("planFailedText")),
        error,
        tone: "destructive",
      });
    },
  });
}

/** Shows that the plan was saved, if nothing else does; a queued write has been shown already. */
export function sayPlanSaved({ state }: Saved<Lead>): void {
  if (state === "waiting") return;
  const t = messagesOf(callMessages);
  toast({ title: t("plannedTitle"), description: t("plannedText"), tone: "success" });
}

/** A report of a call, and the outcome that the user saw there; none if omitted. */
type SavedReport = OutcomeReport & { seen?: SavedOutcome };

/** Saves the consultant's outcome of a call; leads, figures and the calls without an outcome are fetched again. */
export function useSaveOutcome() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ leadId, leadName, clientRef, seen, ...report }: SavedReport) =>
      saveWrite<CallLog>(client, {
        leadId,
        leadName,
        clientRef,
        write: { kind: "outcome", report: { ...report, callType: "browser" }, seen: seen ?? null },
      }),
    onSuccess: (saved, { clientRef: _sent, seen: _seen, ...report }) => {
      const t = messagesOf(callMessages);
      const { leadId } = report;
      // The outcome of a known call can be replaced; a second report of an unknown call would be a second call.
      const mayCorrect = report.twilioCallSid !== null;
      lastOutcome.set(mayCorrect ? report : null);
      if (saved.state === "waiting") return showWaiting(client, saved.reason);
      toast({
        title: t("savedTitle"),
        description: t("savedText"),
        tone: "success",
        ...(mayCorrect && { onOpen: correctLastOutcome }),
      });
      const counted = invalidatePaths(client, [listCallLogs.path, getDashboardStats.path]);
      return readChangedLeads(client, [leadId], counted);
    },
    onError: (error) => {
      const t = messagesOf(callMessages);
      toast({ title: t("saveFailedTitle"), description: t("saveFailedText"), error, tone: "destructive" });
    },
  });
}
