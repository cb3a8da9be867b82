import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { smsMessages } from "../messages.ts";
import { threadLeadQuery, threadQuery, useMarkRead, useSendSms } from "../queries.ts";
import { leadScheduledQuery } from "../scheduled/queries.ts";
import { ScheduledList } from "../scheduled/scheduled-list.tsx";
import { readDraft, useShownThread } from "../thread-state.ts";
import { useIsOthersLead } from "../use-sms-refusal.ts";
import { Composer } from "./composer.tsx";
import { Thread } from "./thread.tsx";

interface ConversationProps {
  lead: Lead;
  /** Whether the input gets the focus. */
  autoFocus: boolean;
}

/** The SMS with a lead, newest last and marked as read when in view, and the composer; fills a column of a given height. */
export function Conversation({ lead: opened, autoFocus }: ConversationProps) {
  const t = useMessages(smsMessages);
  const { data: lead = opened } = useQuery(threadLeadQuery(opened));
  const isOthers = useIsOthersLead(lead);
  const found = useQuery({ ...threadQuery(opened.id), enabled: !isOthers });
  const send = useSendSms(opened.id);
  const end = useReadMarks(lead, found.data?.length ?? null);
  const pending = send.isPending ? send.variables.message : null;
  return (
    <>
      {found.data ? (
        <>
          <Thread messages={found.data} pending={pending} />
          <div ref={end} aria-hidden className="-mt-px h-px shrink-0" />
        </>
      ) : found.error ? (
        <div className="grid flex-1 place-content-center justify-items-center gap-3 p-6">
          <FailureText error={found.error} fallback={t("loadFailed")} />
          <Button variant="secondary" pending={found.isFetching} onClick={() => void found.refetch()}>
            {t("retry")}
          </Button>
        </div>
      ) : (
        <ThreadSkeleton />
      )}
      {/* An SMS that is being sent is decided by the server; until then nothing is said about it. */}
      {isOthers && !send.isPending ? (
        <OthersLead lead={lead} />
      ) : (
        <>
          <ScheduledList leadId={opened.id} />
          <Composer lead={lead} send={send} autoFocus={autoFocus} />
        </>
      )}
    </>
  );
}

/** Shown instead of the composer if the lead is not the user's, with the draft, which can be copied. */
function OthersLead({ lead }: { lead: Lead }) {
  const t = useMessages(smsMessages);
  const { data: scheduled } = useQuery({ ...leadScheduledQuery(lead.id), enabled: false });
  const draft = readDraft(lead.id);
  const rep = lead.salesRepName;
  return (
    <div className="flex items-start gap-2.5 rounded-b-2xl border-t bg-muted px-5 py-4 text-sm sm:px-6">
      <Lock aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="grid min-w-0 gap-1.5">
        <p role="status">
          {rep ? t("theirs", { name: rep }) : t("nobodys")}
          {rep && scheduled?.texts.length ? ` ${t("theirsScheduled", { name: rep })}` : null}
        </p>
        {draft ? (
          <>
            <p className="text-muted-foreground">{t("notSent")}</p>
            <p className="max-h-40 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">{draft}</p>
          </>
        ) : null}
      </div>
    </div>
  );
}

/** Marks SMS as read while the page is visible and the thread's end, which takes the returned ref, is in view. */
function useReadMarks(lead: Lead, count: number | null): RefObject<HTMLDivElement | null> {
  const { mutate } = useMarkRead(lead.id);
  const end = useRef<HTMLDivElement>(null);
  const isLoaded = count !== null;
  const isShown = useIsInView(end, isLoaded);
  useShownThread(lead.id, isShown);
  const mark = useEffectEvent(() => {
    if (document.visibilityState === "visible" && isShown && lead.unreadTexts > 0 && isLoaded) mutate();
  });
  useEffect(() => {
    if (isShown && lead.unreadTexts > 0 && count !== null) mark();
  }, [isShown, lead.unreadTexts, count]);
  useEffect(() => {
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, []);
  return end;
}

/** Whether an element, once mounted, is scrolled into view; true where the browser cannot tell. */
function useIsInView(element: RefObject<HTMLElement | null>, isMounted: boolean): boolean {
  const canTell = typeof IntersectionObserver !== "undefined";
  const [isInView, setIsInView] = useState(!canTell);
  useEffect(() => {
    if (!isMounted || !canTell || !element.current) return;
    const observer = new IntersectionObserver((seen) => setIsInView(seen.at(-1)?.isIntersecting === true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isMounted, canTell]);
  return isInView;
}

function ThreadSkeleton() {
  const t = useMessages(smsMessages);
  return (
    <div role="status" aria-label={t("loading")} className="grid flex-1 content-end gap-3 p-5">
      <Skeleton className="h-10 w-2/3 rounded-2xl" />
      <Skeleton className="ml-auto h-10 w-1/2 rounded-2xl" />
      <Skeleton className="h-10 w-1/3 rounded-2xl" />
    </div>
  );
}
