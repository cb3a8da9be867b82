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
import { lineMessages } from "./line-messages.ts";
import { dialerMessages } from "./messages.ts";
import { cacheSession, knownSession } from "./session-query.ts";
import { accepts, type SessionCommand } from "./session-state.ts";
import { dropDraft } from "./wrap-up-draft.ts";

export type DialerStart = CallInput<typeof startDialer>["body"];
export type WrapUp = Omit<CallInput<typeof wrapUpDialer>["body"], "seen">;
const previewEveryMs = 60_000;
/** Whom a session would call. */
export type DialerList = Required<CallInput<typeof previewDialer>["body"]>;
type DialerDelay = NonNullable<DialerStart["delaySeconds"]>;

/** Sends a word to the server and shows the session it answers; nothing is shown before. */
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
      // The answer may have been lost on its way, and the command carried out.
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

/** Starts a session; says so where there is nobody to call, and why it did not start otherwise. */
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

/** What is said to a session is sent one after the other, in the order in which it was said. */
const oneByOne = { id: "dialer" };
const commandKey = [commandDialer.path];

/** A command, and the lead that was shown when it was given. */
interface Press {
  readonly command: SessionCommand;
  readonly position: number;
}

/**
 * Pause, resume, stop, skip, call now or hold, about the lead that is shown. A command that is given while another is under way waits for its
 * turn, and is then judged by the session as it has become: where it no longer means anything, or its lead is no longer the current one, nothing
 * is sent. `underWay` are those that wait or are being sent, wherever on the page they were given.
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

/** Puts a lead who called meanwhile next. */
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

/** What is said on the line before each lead, from the next one on. */
export function useDialerBrief(id: number) {
  return useSessionChange(
    (brief: LineBrief) => callRoute(setDialerDelay, { params: { id }, body: { brief } }),
    showFailure,
  );
}

/**
 * Keeps outcome, notes, status and follow-up of the call in hand, and goes on. Without an answer what was said of the call and the lead waits to be
 * sent; the session does not go on by itself then: nobody is called later for what was pressed now.
 */
export function useWrapUp(session: DialerSession) {
  const client = useQueryClient();
  return useSessionChange(
    // It is asked of a call without an outcome: one that was given meanwhile, by a key of the phone, was first and holds.
    async (body: WrapUp) => {
      const wrapped = await callRoute(wrapUpDialer, {
        params: { id: session.id },
        body: { ...body, seen: null },
      });
      // Before the session is seen to go on: what is saved is no draft any more.
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
 * Keeps what was typed about a call whose outcome was given elsewhere meanwhile, by a key of the phone or on another page: that outcome holds.
 */
export function useSaveLeftDraft(id: number) {
  return useSessionChange(
    async (body: WrapUp) => {
      const session = await callRoute(wrapUpDialer, { params: { id }, body: { ...body, seen: null } });
      toast({ title: messagesOf(lineMessages)("notesSaved"), tone: "success" });
      // The toasts speak of the lead in hand, who is another by now.
      return { ...session, outcomeKept: null };
    },
    showFailure,
    { scope: oneByOne },
  );
}

/** Writes down what is said of a session's call and of its lead; says whether all of it is. */
async function queueWrapUp(
  client: QueryClient,
  { call, lead }: DialerSession,
  said: WrapUp,
): Promise<boolean> {
  const { callId, outcome, notes, ...plan } = said;
  if (call?.id !== callId || !call.callSid) return false;
  const { leadId, leadName, callSid: twilioCallSid, talkSeconds } = call;
  const report = { duration: talkSeconds ?? 0, outcome, notes, callType: "browser", twilioCallSid };
  // Pressed again it is the same.
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

/** Puts an ended session's summary away. */
export function useCloseDialer(id: number) {
  return useSessionChange(() => callRoute(closeDialer, { params: { id } }), showFailure);
}

/** Says that the consultant types; should it be lost, the next keystroke says it again. */
export function reportTyping(id: number): void {
  callRoute(typingInDialer, { params: { id } }).catch(() => undefined);
}

/** Which leads would be called and which not; the last answer stays in sight while the next is awaited. */
export function previewQuery(list: DialerList) {
  return queryOptions({
    queryKey: [previewDialer.path, list],
    queryFn: () => callRoute(previewDialer, { body: list }),
    staleTime: 0,
    // Hours pass, and colleagues call.
    refetchInterval: previewEveryMs,
    placeholderData: keepPreviousData,
  });
}

/** What an ended session came to. */
export function summaryQuery(id: number) {
  return routeQuery(getDialerSummary, { params: { id } });
}
