import type { DialerSession } from "@portal/contract/entities/dialer";
import type { Route } from "@portal/contract/route";
import { commandDialer } from "@portal/contract/routes/dialer";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useEffectEvent, useRef } from "react";
import { type InputArgument, routePath } from "../../lib/api.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { lateComponent } from "../../lib/late-module.ts";
import { toast } from "../../ui/toast.ts";
import { outcomeMessages } from "../telephony/call/messages.ts";
import { DialerBar } from "./components/dialer-bar.tsx";
import { useDialerScreen } from "./dialer-store.ts";
import { dialerMessages } from "./messages.ts";
import { reportTyping } from "./queries.ts";
import { dialerQuery, isLive } from "./session-query.ts";
import { watchOpenTabs } from "./watch-open-tabs.ts";

/** Sends a request while the page unloads; its result is unknown. */
function sendOnLeave<R extends Route>(route: R, ...[input]: InputArgument<R>): void {
  const { params, body } = (input ?? {}) as { params?: object; body?: unknown };
  navigator.sendBeacon(
    routePath(route, params),
    new Blob([JSON.stringify(body)], { type: "application/json" }),
  );
}

const DialerDialog = lateComponent(() => import("./components/dialer-panel.tsx"));

/** The dialer on all pages: its dock, its bar while the dock is closed, its toasts, and the pause when the last tab closes. */
export default function DialerDock() {
  const { data } = useQuery(dialerQuery());
  const { overlay, page } = useDialerScreen();
  const session = data?.session ?? null;
  useDialerToasts(session, data !== undefined);
  usePauseOnLeave(session);
  useTypingNotice(session);
  const isOverlaid = overlay && !page;
  return (
    <>
      {data && session && isLive(session) && !isOverlaid && !page ? (
        <DialerBar session={session} clockOffset={data.clockOffset} />
      ) : null}
      {isOverlaid ? (
        <Suspense fallback={null}>
          <DialerDialog />
        </Suspense>
      ) : null}
    </>
  );
}

/** A change of a session since its previous version that needs a toast, or null. Without a previous version there is none. */
function changeOf(
  before: DialerSession | null,
  now: DialerSession | null,
): "failed" | "completed" | "proposed" | "kept" | null {
  if (!now) return null;
  const same = before?.id === now.id ? before : null;
  // These come first, because the end of a session is visible without a toast.
  if (now.outcomeKept && same && !same.outcomeKept) return "kept";
  if (now.followUpProposed && same && !same.followUpProposed) return "proposed";
  if (same && isLive(same) && now.status === "completed") return "completed";
  const isNew = now.lastFailure && now.lastFailure.at !== same?.lastFailure?.at;
  return isNew && isLive(now) ? "failed" : null;
}

/** The recorded toasts for a lead that could not be called and for the end, and one for a follow-up that became a proposal. */
function useDialerToasts(session: DialerSession | null, isKnown: boolean): void {
  const before = useRef<DialerSession | null | undefined>(undefined);
  useEffect(() => {
    if (!isKnown) return;
    const change = before.current === undefined ? null : changeOf(before.current, session);
    const name = before.current?.call?.leadName ?? "";
    const outcome = session?.outcomeKept && messagesOf(outcomeMessages)(session.outcomeKept);
    before.current = session;
    if (!session || !change) return;
    const t = messagesOf(dialerMessages);
    if (change === "completed") {
      toast({
        title: t("completedTitle"),
        description: t("completedText", { count: session.counts.dialled }),
        tone: "success",
      });
    } else if (change === "proposed") {
      toast({ title: t("proposedTitle"), description: t("proposedText", { name }), tone: "warning" });
    } else if (change === "kept") {
      toast({
        title: t("keptTitle"),
        description: t("keptText", { name, outcome: outcome ?? "" }),
        tone: "warning",
      });
    } else if (session.lastFailure) {
      toast({
        title: t("failedTitle"),
        description: t("failedText", { name: session.lastFailure.leadName }),
        tone: "destructive",
      });
    }
  }, [session, isKnown]);
}

/** Minimum interval between reports of typing, in ms. */
const typingEveryMs = 2_000;

/** Pauses the session when the last tab of this browser closes, so that no lead is rung without anyone watching. */
function usePauseOnLeave(session: DialerSession | null): void {
  const onLastLeft = useEffectEvent(() => {
    if (session?.status !== "active") return;
    const { id, position } = session;
    sendOnLeave(commandDialer, { params: { id }, body: { command: "left", position } });
  });
  useEffect(() => watchOpenTabs(() => onLastLeft()), []);
}

/** Postpones the countdown while the consultant types anywhere in the portal. */
function useTypingNotice(session: DialerSession | null): void {
  const id = session?.status === "active" && session.phase === "countdown" ? session.id : null;
  useEffect(() => {
    if (id === null) return;
    let reportedAt = Number.NEGATIVE_INFINITY;
    const onInput = () => {
      const now = performance.now();
      if (now - reportedAt < typingEveryMs) return;
      reportedAt = now;
      reportTyping(id);
    };
    document.addEventListener("input", onInput);
    return () => document.removeEventListener("input", onInput);
  }, [id]);
}
