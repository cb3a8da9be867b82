import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { smsMessages } from "../messages.ts";
import { threadLeadQuery, threadQuery, useMarkRead, useSendSms } from "../queries.ts";
import { ScheduledList } from "../scheduled/scheduled-list.tsx";
import { useShownThread } from "../thread-state.ts";
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
  const found = useQuery(threadQuery(opened.id));
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
      <ScheduledList leadId={opened.id} />
      <Composer lead={lead} send={send} autoFocus={autoFocus} />
    </>
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
