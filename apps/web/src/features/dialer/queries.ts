import type { DialerSession } from "@portal/contract/entities/dialer";
import type { LineBrief } from "@portal/contract/entities/line";
import {
  closeDialer,
  commandDialer,
  getDialer,
  getDialerSummary,
  moveNextInDialer,
  previewDialer,
  setDialerDelay,
  startDialer,
  typingInDialer,
  wrapUpDialer,
} from "@portal/contract/routes/dialer";
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useMutationState,
  useQueryClient,
} from "@tanstack/react-query";
import { ApiError, type CallInput, callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { queueItems, queueWrite, waitReasonOf } from "../../lib/offline/queue.ts";
import { seenOf } from "../../lib/offline/queue-item.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { callMessages } from "../telephony/call/messages.ts";
import { showWaiting } from "../telephony/call/queries.ts";
import { dialerMessages, lineMessages } from "./messages.ts";
import { cacheSession, knownSession } from "./session-query.ts";
import { accepts, type SessionCommand } from "./session-state.ts";
import { dropDraft } from "./wrap-up-draft.ts";

export type DialerStart = CallInput<typeof startDialer>["body"];
export type WrapUp = Omit<CallInput<typeof wrapUpDialer>["body"], "seen">;
const previewEveryMs = 60_000;
/** The leads that a session would call. */
export type DialerList = Required<CallInput<typeof previewDialer>["body"]>;
type DialerDelay = NonNullable<DialerStart["delaySeconds"]>;

/** A mutation that sends a command and caches the returned session; nothing is shown before the response. */
function useSessionChange<Input>(
  send: (input: Input) => Promise<DialerSession>,
  onError: (error: Error, input: Input) => void,
  options: { mutationKey?: string[]; scope?: { id: string } } = {},
) {
  const client = useQueryClient();
  return useMutation({
    ...options,
    mutationFn: send,
    onSuccess: (session) => cacheSession(client, session),
    onError: (error, input) => {
      onError(error, input);
      // The response may have been lost after the command was executed.
      void invalidatePaths(client, [getDialer.path]);
    },
  });
}

function showFailure(error: Error): void {
  toast({
    title: messagesOf(dialerMessages)("commandFailedTitle"),
    description: errorText(error),
    error,
    tone: "destructive",
  });
}

/** Starts a session; shows a toast if there are no leads, or why it failed. */
export function useStartDialer() {
  return useSessionChange(
    (body: DialerStart) => callRoute(startDialer, { body }),
    (error) => {
      const t = messagesOf(dialerMessages);
      if (error instanceof ApiError && error.code === "no_leads") {
        toast({ title: t("noLeadsTitle"), description: t("noLeadsText"), tone: "destructive" });
      } else {
        toast({ title: t("startFailedTitle"), description: errorText(error), error, tone: "destructive" });
      }
    },
  );
}

/** Commands of a session are sent one after the other in the order of the presses. */
const oneByOne = { id: "dialer" };
const commandKey = [commandDialer.path];

/** A command, and the position that was shown when it was given. */
interface Press {
  readonly command: SessionCommand;
  readonly position: number;
}

/**
 * Commands for the shown lead: pause, resume, stop, skip, call now or hold. A command given while another is being sent waits, and is then
 * checked against the current session: if it no longer applies, or its lead is not the current one, it is dropped. `underWay` lists the
 * commands that wait or are being sent, from anywhere on the page.
 */
export function useDialerCommand(session: Pick<DialerSession, "id" | "position">) {
  const { id, position } = session;
  const client = useQueryClient();
  const { mutate } = useSessionChange(
    async (press: Press) => {
      const newest = knownSession(client);
      if (newest?.id === id && !accepts(newest, press.command, press.position)) return newest;
      return callRoute(commandDialer, { params: { id }, body: { ...press } });
    },
    showFailure,
    { mutationKey: commandKey, scope: oneByOne },
  );
  const underWay = useMutationState({
    filters: { mutationKey: commandKey, status: "pending" },
    select: ({ state }) => (state.variables as Press).command,
  });
  return { give: (command: SessionCommand) => mutate({ command, position }), underWay };
}

/** Makes a lead who called meanwhile the next one. */
export function useMoveNext(id: number) {
  return useSessionChange(
    (leadId: number) => callRoute(moveNextInDialer, { params: { id }, body: { leadId } }),
    showFailure,
    { scope: oneByOne },
  );
}

export function useDialerDelay(id: number) {
  return useSessionChange(
    (delaySeconds: DialerDelay) => callRoute(setDialerDelay, { params: { id }, body: { delaySeconds } }),
    showFailure,
  );
}

/** Sets what is announced on the line before each lead, from the next one on. */
export function useDialerBrief(id: number) {
  return useSessionChange(
    (brief: LineBrief) => callRoute(setDialerDelay, { params: { id }, body: { brief } }),
    showFailure,
  );
}

/**
 * Saves outcome, notes, status and follow-up of the current call, and continues. Without a response they are queued for sending; the
 * session then does not continue automatically, so that a press now does not cause a call later.
 */
export function useWrapUp(session: DialerSession) {
  const client = useQueryClient();
  return useSessionChange(
    // `seen: null` means the call had no outcome: one given meanwhile by a key of the phone came first and stays.
    async (body: WrapUp) => {
      const wrapped = await callRoute(wrapUpDialer, {
        params: { id: session.id },
        body: { ...body, seen: null },
      });
      // Dropped before the session continues, as the draft is saved now.
      dropDraft(Number(body.callId));
      return wrapped;
    },
    async (error, body) => {
      const reason = waitReasonOf(error);
      if (reason && (await queueWrapUp(client, session, body))) return showWaiting(client, reason);
      const t = messagesOf(callMessages);
      toast({
        title: t("saveFailedTitle"),
        description: errorText(error, t("saveFailedText")),
        error,
        tone: "destructive",
      });
    },
    { scope: oneByOne },
  );
}

/**
 * Saves what was typed about a call whose outcome was given elsewhere meanwhile, by a key of the phone or on another page; that outcome
 * stays.
 */
export function useSaveLeftDraft(id: number) {
  return useSessionChange(
    async (body: WrapUp) => {
      const session = await callRoute(wrapUpDialer, { params: { id }, body: { ...body, seen: null } });
      toast({ title: messagesOf(lineMessages)("notesSaved"), tone: "success" });
      // The toast would be shown for the current lead, who is a different one now.
      return { ...session, outcomeKept: null };
    },
    showFailure,
    { scope: oneByOne },
  );
}

/** Queues the wrap-up of a session's call and its lead; returns whether all of it is stored. */
async function queueWrapUp(
  client: QueryClient,
  { call, lead }: DialerSession,
  said: WrapUp,
): Promise<boolean> {
  const { callId, outcome, notes, ...plan } = said;
  if (call?.id !== callId || !call.callSid) return false;
  const { leadId, leadName, callSid: twilioCallSid, talkSeconds } = call;
  const report = { duration: talkSeconds ?? 0, outcome, notes, callType: "browser", twilioCallSid };
  // Queued by an earlier press.
  const isKept = queueItems
    .get()
    .some(({ write }) => write.kind === "outcome" && JSON.stringify(write.report) === JSON.stringify(report));
  if (isKept) return true;
  const of = { leadId, leadName };
  if (!(await queueWrite(client, { ...of, write: { kind: "outcome", report, seen: null } }))) return false;
  if (Object.keys(plan).length === 0 || lead?.id !== leadId) return true;
  const write = { kind: "change" as const, change: plan, seen: seenOf(lead, plan) };
  return queueWrite(client, { ...of, write });
}

/** Dismisses the summary of an ended session. */
export function useCloseDialer(id: number) {
  return useSessionChange(() => callRoute(closeDialer, { params: { id } }), showFailure);
}

/** Reports that the consultant is typing; a lost report is repeated by the next keystroke. */
export function reportTyping(id: number): void {
  callRoute(typingInDialer, { params: { id } }).catch(() => undefined);
}

/** Preview of which leads would be called; the previous one is shown while the next one loads. */
export function previewQuery(list: DialerList) {
  return queryOptions({
    queryKey: [previewDialer.path, list],
    queryFn: () => callRoute(previewDialer, { body: list }),
    staleTime: 0,
    // The contact policy depends on time and on colleagues' calls.
    refetchInterval: previewEveryMs,
    placeholderData: keepPreviousData,
  });
}

/** The summary of an ended session. */
export function summaryQuery(id: number) {
  return routeQuery(getDialerSummary, { params: { id } });
}
