import type { CallOutcome } from "@portal/contract/entities/call";
import {
  createCallLog,
  endCall,
  getCall,
  getLiveCall,
  listCallLogs,
  makeCall,
} from "@portal/contract/routes/calls";
import { getDashboardStats, listLeads } from "@portal/contract/routes/leads";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { textOf } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { recordedText } from "../../lib/recorded-text.ts";
import { toast } from "../../ui/toast.ts";
import { contactFailureText } from "./refusal-words.ts";
import { callTexts } from "./texts.ts";

/** How often a live call is looked at where no event arrives, in ms. */
const livePollMs = 5_000;

/** The consultant's live call: after a reload, in another tab, and behind a closed dialog. */
export function liveCallQuery() {
  return {
    ...routeQuery(getLiveCall),
    staleTime: 0,
    refetchInterval: (query: { state: { data?: { call: unknown; inbound: unknown } | undefined } }) =>
      query.state.data?.call || query.state.data?.inbound ? livePollMs : (false as const),
  };
}

/** One call, looked at until it has ended; without an id it rests. */
export function callQuery(id: number | null) {
  return {
    ...routeQuery(getCall, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: (query: { state: { data?: { state: string } | undefined } }) =>
      query.state.data?.state === "ended" ? (false as const) : livePollMs,
  };
}

interface CallRequest {
  leadId: number;
  to: string;
  /** An administrator's reason to call although the gate says no. */
  overrideReason?: string | undefined;
}

/** Asks for a call; toasts as recorded. One request, whatever is pressed meanwhile, is the caller's care. */
export function useMakeCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest) => callRoute(makeCall, { body }),
    onSuccess: () => {
      const t = textOf(callTexts);
      toast({ title: t("initiatedTitle"), description: t("initiatedText") });
    },
    onError: (error) => {
      toast({
        title: textOf(callTexts)("failedTitle"),
        description: callFailureText(error),
        tone: "destructive",
      });
    },
    onSettled: () => invalidatePaths(client, [getLiveCall.path]),
  });
}

/** Why a call was not made, and when it may be: by its reason where there is one, else as any failure. */
export function callFailureText(error: unknown): string {
  return contactFailureText(error, "call", recordedText(error, textOf(callTexts)("failedText")));
}

/** Ends the call at the provider, and asks the rep to hang up as recorded. */
export function useEndCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callRoute(endCall, { params: { id } }),
    onMutate: () => {
      const t = textOf(callTexts);
      toast({ title: t("statusTitle"), description: t("statusText") });
    },
    onError: (error) => {
      const t = textOf(callTexts);
      toast({
        title: t("statusTitle"),
        description: recordedText(error, t("endFailedText")),
        tone: "destructive",
      });
    },
    onSettled: (_call, _error, id) => invalidatePaths(client, [`/api/calls/${id}`, getLiveCall.path]),
  });
}

interface OutcomeReport {
  leadId: number;
  /** Seconds, or 'minutes:seconds'. */
  duration: number | string;
  outcome: CallOutcome;
  notes: string | null;
  twilioCallSid: string | null;
  /** The same report again carries the same one. */
  clientRef?: string;
}

/** Keeps the rep's outcome of a call; the leads, their figures and what needs an outcome are read again. */
export function useSaveOutcome() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (report: OutcomeReport) =>
      callRoute(createCallLog, { body: { ...report, callType: "browser" } }),
    onSuccess: () => {
      const t = textOf(callTexts);
      toast({ title: t("savedTitle"), description: t("savedText"), tone: "success" });
      return invalidatePaths(client, [listCallLogs.path, getDashboardStats.path, listLeads.path]);
    },
    onError: () => {
      const t = textOf(callTexts);
      toast({ title: t("saveFailedTitle"), description: t("saveFailedText"), tone: "destructive" });
    },
  });
}
