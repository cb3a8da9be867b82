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

/** How often a live call is looked at where no event arrives, in ms. */
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

/** One call, looked at until it has ended and it is known who answered; without an id it rests. */
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

/** Ends the call at the provider, and asks the rep to hang up as recorded, on the line that was rung. */
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

/** Says that a call was not ended. */
export function sayNotEnded(error: unknown): void {
  const t = messagesOf(callMessages);
  const description = recordedText(error, t("endFailedText"));
  toast({ title: t("statusTitle"), description, error, tone: "destructive" });
}

/** Why a call was not made, and when it may be: by its reason where there is one, else as any failure. */
export function callFailureText(error: unknown): string {
  return contactFailureText(error, "call", recordedText(error, messagesOf(callMessages)("failedText")));
}

/** Says that what was said waits; where that is for want of a session, the login screen comes. */
export function showWaiting(client: QueryClient, reason: WaitReason): void {
  sayWaiting(reason);
  if (reason === "session") void client.invalidateQueries({ queryKey: currentUserQuery().queryKey });
}

/** Changes a lead by what is planned after a call; that it was saved is said by who asks for it, that it waits here. */
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

/** Says that what is planned for the lead was saved, where nothing else was; what waits has said so itself. */
export function sayPlanSaved({ state }: Saved<Lead>): void {
  if (state === "waiting") return;
  const t = messagesOf(callMessages);
  toast({ title: t("plannedTitle"), description: t("plannedText"), tone: "success" });
}

/** What a rep says of a call, and the answer that they saw there: none unless said. */
type SavedReport = OutcomeReport & { seen?: SavedOutcome };

/** Keeps the rep's outcome of a call; the leads, their figures and what needs an outcome are read again. */
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
      // Another answer of the same call takes the place of this one; a report of a call that nobody knows would be a second call.
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
