import type { Call, CallOutcome, InboundCall } from "@portal/contract/entities/call";
import { getLiveCall, makeCall } from "@portal/contract/routes/calls";
import { getLead } from "@portal/contract/routes/leads";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { callRoute } from "../../../lib/api.ts";
import { formatDuration, formatPhone } from "../../../lib/format.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { useClientRef } from "../../../lib/use-client-ref.ts";
import { toast } from "../../../ui/toast.ts";
import {
  type CallLead,
  callDialogReducer,
  idleCall,
  type LeadPlan,
  losesNotes,
  planChange,
  savesOnClose,
  timerSeconds,
} from "./call-state.ts";
import { callMessages } from "./messages.ts";
import {
  callFailureText,
  callQuery,
  liveCallQuery,
  sayPlanSaved,
  useEndCall,
  useSaveLeadPlan,
  useSaveOutcome,
} from "./queries.ts";

const noCalls: InboundCall[] = [];

/** Why no other call is started, by the phase of the current one. */
const busyText = { connecting: "busyRequested", live: "busyLive", ended: "busyEnded" } as const;

interface CallRequest {
  leadId: number;
  to: string;
  /** An administrator's reason to override the contact policy. */
  overrideReason?: string | undefined;
}

/** Requests a call, with the recorded toasts. The caller prevents concurrent requests. */
function useMakeCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest) => callRoute(makeCall, { body }),
    onSuccess: ({ officeLine }) => {
      const t = messagesOf(callMessages);
      const description = officeLine
        ? t("initiatedOffice", { phone: formatPhone(officeLine) })
        : t("initiatedText");
      toast({ title: t("initiatedTitle"), description });
    },
    onError: (error) => {
      toast({
        title: messagesOf(callMessages)("failedTitle"),
        description: callFailureText(error),
        error,
        tone: "destructive",
      });
    },
    // Not awaited: the dialog shows the call as soon as it is accepted.
    onSettled: () => void invalidatePaths(client, [getLiveCall.path]),
  });
}

/** One call from the press of the button to the saved outcome: the dialog's state and commands. */
export function useCallSession() {
  const [state, dispatch] = useReducer(callDialogReducer, idleCall);
  const requested = useRef(false);
  const { mutateAsync: askForCall } = useMakeCall();
  const endCall = useEndCall();
  const saveOutcome = useSaveOutcome();
  const clientRef = useClientRef();
  const live = useQuery(liveCallQuery());
  const current = useQuery(callQuery(state.callId));
  const leadId = state.lead?.id;
  const { data: leadNow } = useQuery({
    ...routeQuery(getLead, { params: { id: leadId ?? 0 } }),
    enabled: leadId !== undefined,
  });
  const savePlan = useSaveLeadPlan();
  const change = planChange(state.plan, leadNow);

  const { data: call, dataUpdatedAt } = current;
  useEffect(() => {
    if (call) dispatch({ type: "reported", call, at: dataUpdatedAt });
  }, [call, dataUpdatedAt]);

  const request = useCallback(
    async (lead: CallLead, phone: string, overrideReason?: string): Promise<void> => {
      // A ref instead of the state, as a double click arrives before the next render.
      if (requested.current) return;
      requested.current = true;
      clientRef.forget();
      dispatch({ type: "started", lead });
      try {
        const { callId, callSid } = await askForCall({ leadId: lead.id, to: phone, overrideReason });
        dispatch({ type: "accepted", callId, callSid, at: Date.now() });
      } catch (error) {
        dispatch({ type: "refused", message: callFailureText(error) });
      } finally {
        requested.current = false;
      }
    },
    [askForCall, clientRef],
  );

  /** Says that nobody is called, as another call is requested, live, or waits for its outcome; returns whether that is so. */
  const { phase, lead: leadInCall } = state;
  const sayBusy = useCallback(
    ({ id }: CallLead): boolean => {
      if (phase === "idle") return false;
      // The second press of a double click on the lead, whose call is shown.
      if (phase === "live" && leadInCall?.id === id) return true;
      const t = messagesOf(callMessages);
      const description = t(busyText[phase], { name: leadInCall?.name ?? "" });
      toast({ title: t("busyTitle"), description, tone: "warning" });
      return true;
    },
    [phase, leadInCall],
  );

  const start = useCallback(
    (lead: CallLead, overrideReason?: string): void => {
      if (sayBusy(lead)) return;
      if (!lead.phone) {
        const t = messagesOf(callMessages);
        toast({ title: t("noPhoneTitle"), description: t("noPhoneText"), tone: "destructive" });
      } else void request(lead, lead.phone, overrideReason);
    },
    [sayBusy, request],
  );

  /** Opens the call without ringing anybody. */
  const prepare = useCallback(
    (lead: CallLead): void => {
      if (!sayBusy(lead)) dispatch({ type: "prepared", lead });
    },
    [sayBusy],
  );

  function callAgain(): void {
    if (state.phase !== "ended" || !state.lead?.phone) return;
    void request(state.lead, state.lead.phone);
  }

  async function end(): Promise<void> {
    if (state.callId === null || state.ending) return;
    dispatch({ type: "ending" });
    try {
      const ended = await endCall.mutateAsync({
        id: state.callId,
        officeLine: state.call?.officeLine ?? null,
      });
      dispatch({ type: "reported", call: ended, at: Date.now() });
    } catch {
      dispatch({ type: "endingFailed" });
    }
  }

  async function save(): Promise<void> {
    if (!state.lead || !state.outcome || state.save === "pending") return;
    dispatch({ type: "saving" });
    const report = {
      leadId: state.lead.id,
      leadName: state.lead.name,
      outcome: state.outcome,
      notes: state.notes.trim() || null,
      twilioCallSid: state.callSid,
    };
    try {
      // The outcome first: it is saved even if the lead was reassigned meanwhile.
      await saveOutcome.mutateAsync({
        ...report,
        ...(state.call?.givenOutcome && { seen: state.call.givenOutcome }),
        duration: formatDuration(timerSeconds(state, Date.now())),
        clientRef: clientRef.of([state.callId, report]),
      });
      if (change && leadNow) await savePlan.mutateAsync({ lead: leadNow, change });
      clientRef.forget();
      dispatch({ type: "closed" });
    } catch {
      dispatch({ type: "saveFailed" });
    }
  }

  function close(): void {
    const now = Date.now();
    if (state.save === "pending") return;
    if (savesOnClose(state, now)) void save();
    else if (losesNotes(state, now) && !state.warned) dispatch({ type: "warned" });
    else if (change && state.save !== "failed") void closeWithPlan();
    else dispatch({ type: "closed" });
  }

  /** The plan for the lead can be saved without an outcome. */
  async function closeWithPlan(): Promise<void> {
    if (!leadNow || !change) return;
    dispatch({ type: "saving" });
    try {
      sayPlanSaved(await savePlan.mutateAsync({ lead: leadNow, change }));
      dispatch({ type: "closed" });
    } catch {
      dispatch({ type: "saveFailed" });
    }
  }

  const { dataUpdatedAt: liveAt } = live;
  const resume = useCallback(
    (resumed: Call) => dispatch({ type: "resumed", call: resumed, at: liveAt }),
    [liveAt],
  );

  const client = useQueryClient();
  const reported = live.data?.call ?? null;
  // The cached live call may be older than the call's own query, which knows that it has ended.
  const known = reported && client.getQueryData(callQuery(reported.id).queryKey);
  const liveCall = known?.state === "ended" ? known : reported;
  const inboundCalls = live.data?.inboundCalls ?? noCalls;
  const hidden = state.phase === "idle" && liveCall && liveCall.state !== "ended";
  return {
    state,
    /** The current lead, once loaded. */
    leadNow,
    /** Whether the plan has unsaved changes. */
    hasPlan: change !== null,
    /** The live call that the dialog does not show, or null. */
    hiddenCall: hidden ? liveCall : null,
    /** When it was requested, by the browser's clock in ms. */
    hiddenSince: hidden ? liveAt - (Date.parse(liveCall.now) - Date.parse(liveCall.requestedAt)) : null,
    /** Live inbound calls, and when they were fetched, by the browser's clock in ms. */
    inboundCalls,
    inboundAt: inboundCalls.length > 0 ? liveAt : 0,
    start,
    prepare,
    end,
    save,
    close,
    callAgain,
    discard: () => dispatch({ type: "closed" }),
    resume,
    chooseOutcome: (outcome: CallOutcome) => dispatch({ type: "outcomeChosen", outcome }),
    planLead: (plan: Partial<LeadPlan>) => dispatch({ type: "planned", plan }),
    typeNotes: (notes: string) => dispatch({ type: "notesTyped", notes }),
  };
}

export type CallSession = ReturnType<typeof useCallSession>;
