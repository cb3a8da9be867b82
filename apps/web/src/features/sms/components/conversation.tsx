import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { smsMessages } from "../messages.ts";
import { threadLeadQuery, threadQuery, useMarkRead, useSendSms } from "../queries.ts";
import { ScheduledList } from "../scheduled/scheduled-list.tsx";
import { useOpenThread } from "../thread-state.ts";
import { Composer } from "./composer.tsx";
import { Thread } from "./thread.tsx";

interface ConversationProps {
  lead: Lead;
  /** Whether the input gets the focus. */
  autoFocus: boolean;
}

/** The SMS with a lead, newest last and marked as read when visible, and the composer; fills a column of a given height. */
export function Conversation({ lead: opened, autoFocus }: ConversationProps) {
  const t = useMessages(smsMessages);
  const { data: lead = opened } = useQuery(threadLeadQuery(opened));
  const found = useQuery(threadQuery(opened.id));
  const send = useSendSms(opened.id);
  useOpenThread(opened.id);
  useReadMarks(lead, found.data?.length ?? null);
  const pending = send.isPending ? send.variables.message : null;
  return (
    <>
      {found.data ? (
        <Thread messages={found.data} pending={pending} />
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

/** Marks SMS as read while the page is visible. */
function useReadMarks(lead: Lead, count: number | null): void {
  const { mutate } = useMarkRead(lead.id);
  const mark = useEffectEvent(() => {
    if (document.visibilityState === "visible" && lead.unreadTexts > 0 && count !== null) mutate();
  });
  useEffect(() => {
    if (lead.unreadTexts > 0 && count !== null) mark();
  }, [lead.unreadTexts, count]);
  useEffect(() => {
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, []);
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
