import type { DialerSession, DialerSource } from "@portal/contract/entities/dialer";
import { listCallLogs } from "@portal/contract/routes/calls";
import {
  closeDialer,
  commandDialer,
  getDialer,
  getDialerSummary,
  previewDialer,
  setDialerDelay,
  startDialer,
  typingInDialer,
  wrapUpDialer,
} from "@portal/contract/routes/dialer";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, type CallInput, callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { textOf } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { callTexts } from "../call-dialog/texts.ts";
import { keepSession } from "./session-query.ts";
import type { SessionCommand } from "./session-state.ts";
import { dialerTexts } from "./texts.ts";

export type DialerStart = CallInput<typeof startDialer>["body"];
export type WrapUp = CallInput<typeof wrapUpDialer>["body"];
const previewEveryMs = 60_000;
type DialerOrder = NonNullable<DialerStart["order"]>;
type DialerDelay = NonNullable<DialerStart["delaySeconds"]>;

/** Sends a word to the server and shows the session it answers; nothing is shown before. */
function useSessionChange<Input>(
  send: (input: Input) => Promise<DialerSession>,
  onError: (error: Error) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (session) => keepSession(client, session),
    onError: (error) => {
      onError(error);
      // The answer may have been lost on its way, and the command carried out.
      void invalidatePaths(client, [getDialer.path]);
    },
  });
}

function sayFailed(error: Error): void {
  toast({
    title: textOf(dialerTexts)("commandFailedTitle"),
    description: errorText(error),
    tone: "destructive",
  });
}

/** Starts a session; says so where there is nobody to call, and why it did not start otherwise. */
export function useStartDialer() {
  return useSessionChange(
    (body: DialerStart) => callRoute(startDialer, { body }),
    (error) => {
      const t = textOf(dialerTexts);
      if (error instanceof ApiError && error.code === "no_leads") {
        toast({ title: t("noLeadsTitle"), description: t("noLeadsText"), tone: "destructive" });
      } else {
        toast({ title: t("startFailedTitle"), description: errorText(error), tone: "destructive" });
      }
    },
  );
}

/** Pause, resume, stop, skip, call now or hold, about the lead that is shown. */
export function useDialerCommand(session: Pick<DialerSession, "id" | "position">) {
  const { id, position } = session;
  return useSessionChange(
    (command: SessionCommand) => callRoute(commandDialer, { params: { id }, body: { command, position } }),
    sayFailed,
  );
}

export function useDialerDelay(id: number) {
  return useSessionChange(
    (delaySeconds: DialerDelay) => callRoute(setDialerDelay, { params: { id }, body: { delaySeconds } }),
    sayFailed,
  );
}

/** Keeps outcome, notes and follow-up of the call in hand, and goes on. */
export function useWrapUp(id: number) {
  return useSessionChange(
    (body: WrapUp) => callRoute(wrapUpDialer, { params: { id }, body }),
    (error) => {
      const t = textOf(callTexts);
      toast({
        title: t("saveFailedTitle"),
        description: errorText(error, t("saveFailedText")),
        tone: "destructive",
      });
    },
  );
}

/** Puts an ended session's summary away. */
export function useCloseDialer(id: number) {
  return useSessionChange(() => callRoute(closeDialer, { params: { id } }), sayFailed);
}

/** Says that the consultant types; should it be lost, the next keystroke says it again. */
export function tellTyping(id: number): void {
  callRoute(typingInDialer, { params: { id } }).catch(() => undefined);
}

/** Which leads would be called and which not; the last answer stays in sight while the next is awaited. */
export function previewQuery(source: DialerSource, order: DialerOrder) {
  return queryOptions({
    queryKey: [previewDialer.path, { source, order }],
    queryFn: () => callRoute(previewDialer, { body: { source, order } }),
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

/** The lead's newest calls, of which the call in hand may be one. */
export function lastCallsQuery(leadId: number) {
  return { ...routeQuery(listCallLogs, { query: { leadId, limit: 2 } }), staleTime: 0 };
}
