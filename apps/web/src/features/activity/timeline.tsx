import { listExtraFields } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import { errorText } from "../../lib/errors.ts";
import { formatLongDate } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { routePages, routeQuery } from "../../lib/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TimelineItem } from "./timeline-entry.tsx";
import { timelineMessages } from "./timeline-messages.ts";
import { groupByDay } from "./timeline-values.ts";

const dayMs = 86_400_000;

/** What happened to a lead, by day, newest first. */
export function Timeline({ lead }: { lead: { id: number; name: string } }) {
  const t = useMessages(timelineMessages);
  const found = useInfiniteQuery(timelinePages(lead.id));
  const { data, error } = found;
  const days = useMemo(() => groupByDay(data?.pages.flatMap(({ items }) => items) ?? []), [data]);

  if (!data && error) {
    return (
      <div role="alert" className="grid justify-items-start gap-3">
        <p className="text-danger-text">{errorText(error, t("failed"))}</p>
        <Button variant="secondary" pending={found.isFetching} onClick={() => void found.refetch()}>
          {t("retry")}
        </Button>
      </div>
    );
  }
  if (!data) return <TimelineSkeleton />;
  if (days.length === 0) return <EmptyState icon={History} title={t("empty")} description={t("emptyHint")} />;
  return (
    <div className="grid gap-6">
      {days.map(({ day, at, entries }) => (
        <section key={day} aria-label={dayLabel(at)} className="grid gap-3">
          <h3 className="font-medium text-muted-foreground text-xs uppercase tracking-wide">
            <DayName at={at} />
          </h3>
          <ol className="grid gap-4">
            {entries.map((entry) => (
              <TimelineItem key={entry.key} entry={entry} leadName={lead.name} />
            ))}
          </ol>
        </section>
      ))}
      {found.hasNextPage ? (
        <More
          pending={found.isFetchingNextPage}
          failed={found.isFetchNextPageError}
          onMore={() => void found.fetchNextPage({ cancelRefetch: false })}
        />
      ) : null}
    </div>
  );
}

const dayLabel = (at: string) => formatLongDate(at);

function DayName({ at }: { at: string }) {
  const t = useMessages(timelineMessages);
  const day = new Date(at).toDateString();
  if (day === new Date().toDateString()) return t("today");
  if (day === new Date(Date.now() - dayMs).toDateString()) return t("yesterday");
  return formatLongDate(at);
}

/** The next page comes when its button is near the drawer's end, or when it is pressed. */
function More({ pending, failed, onMore }: { pending: boolean; failed: boolean; onMore: () => void }) {
  const t = useMessages(timelineMessages);
  const edge = useRef<HTMLDivElement>(null);
  const onNear = useEffectEvent(onMore);
  useEffect(() => {
    if (!edge.current || pending || failed || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear());
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [pending, failed]);
  return (
    <div ref={edge} className="grid justify-items-center gap-2">
      {failed ? (
        <p role="alert" className="text-danger-text text-sm">
          {t("failed")}
        </p>
      ) : null}
      <Button variant="secondary" pending={pending} onClick={onMore}>
        {failed ? t("retry") : t("more")}
      </Button>
    </div>
  );
}

function TimelineSkeleton() {
  const t = useMessages(timelineMessages);
  return (
    <div aria-busy="true" className="grid gap-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className="flex gap-3">
          <Skeleton className="size-8 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** What came with a lead and has no field here. */
function extraFieldsQuery(id: number) {
  return { ...routeQuery(listExtraFields, { params: { id } }), staleTime: 0 };
}

/** What happened to a lead, newest first; read anew whenever it is opened. */
function timelinePages(leadId: number) {
  return { ...routePages(getTimeline, { params: { id: leadId } }), staleTime: 0 };
}

/** More than so many are folded away until they are asked for: what is below them should be near. */
const shownOpen = 6;

/** What came with a lead, by import or webhook, and has no field here; nothing where there is none. */
export function ExtraFields({ leadId }: { leadId: number }) {
  const t = useMessages(timelineMessages);
  const { data: fields = [] } = useQuery(extraFieldsQuery(leadId));
  if (fields.length === 0) return null;
  return (
    <details open={fields.length <= shownOpen} className="rounded-xl border px-4 py-3 text-sm">
      <summary className="cursor-pointer font-semibold pointer-coarse:py-2.5">
        {t("extraFields", { count: fields.length })}
      </summary>
      <dl className="grid gap-x-6 gap-y-3 pt-3 sm:grid-cols-2">
        {fields.map(({ name, value }) => (
          <div key={name} className="min-w-0">
            <dt className="break-words text-muted-foreground text-xs">{name}</dt>
            <dd dir="auto" className="whitespace-pre-line break-words">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
