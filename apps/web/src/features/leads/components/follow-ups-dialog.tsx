import type { RouteResponse } from "@portal/contract/route";
import { type FollowUpGroup, followUpGroups, type listFollowUps } from "@portal/contract/routes/assignment";
import { useQuery } from "@tanstack/react-query";
import { CalendarCheck } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, drawerClasses } from "../../../ui/dialog.tsx";
import { EmptyState, Skeleton } from "../../../ui/list-states.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs.tsx";
import { followUpsQuery } from "../queries.ts";
import { FollowUpRow, followUpMessages } from "./follow-up-row.tsx";

type FollowUps = RouteResponse<typeof listFollowUps>;

interface FollowUpsDialogProps {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** The follow-ups behind the tile, in a drawer: overdue, today, the next 7 days, and later. */
export default function FollowUpsDialog({ onClose, returnFocusTo }: FollowUpsDialogProps) {
  const t = useMessages(followUpMessages);
  const [chosen, setChosen] = useState<FollowUpGroup | null>(null);
  const group = chosen ?? "overdue";
  const found = useQuery(followUpsQuery(group));
  const { data } = found;
  // Opens at the first group with follow-ups, and stays there.
  if (chosen === null && data) setChosen(followUpGroups.find((each) => data.counts[each] > 0) ?? group);
  const shown = found.isPlaceholderData ? undefined : data;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("title")}
      description={t("hint")}
      className={drawerClasses}
      returnFocusTo={returnFocusTo}
    >
      <DialogBody className="pt-2">
        {data && data.due.length > 0 ? (
          <section aria-label={t("dueNow")} className="mb-4 border-b pb-2">
            <h3 className="font-semibold text-sm">{t("dueNow")}</h3>
            <FollowUpList leads={data.due} group="due" onOpenLead={onClose} />
          </section>
        ) : null}
        <Tabs value={group} onValueChange={(value) => setChosen(value as FollowUpGroup)}>
          <TabsList aria-label={t("groups")}>
            {followUpGroups.map((each) => (
              <TabsTrigger key={each} value={each} className="max-sm:gap-1 max-sm:px-2">
                {t(each)}
                {data ? (
                  <Badge tone={toneOf(each, data.counts[each])} className="tabular-nums">
                    {formatNumber(data.counts[each])}
                  </Badge>
                ) : null}
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value={group}>
            {shown ? (
              <FollowUpGroupList followUps={shown} group={group} onOpenLead={onClose} />
            ) : found.error ? (
              <div className="grid justify-items-start gap-3">
                <FailureText error={found.error} fallback={t("failed")} />
                <Button variant="secondary" pending={found.isFetching} onClick={() => void found.refetch()}>
                  {t("retry")}
                </Button>
              </div>
            ) : (
              <ListSkeleton />
            )}
          </TabsContent>
        </Tabs>
      </DialogBody>
    </Dialog>
  );
}

function toneOf(group: FollowUpGroup, count: number) {
  if (count === 0) return "neutral";
  if (group === "overdue") return "danger";
  return group === "today" ? "warning" : "neutral";
}

/** The follow-ups of a group, except those listed as due above. */
function FollowUpGroupList({
  followUps,
  group,
  onOpenLead,
}: {
  followUps: FollowUps;
  group: FollowUpGroup;
  onOpenLead: () => void;
}) {
  const t = useMessages(followUpMessages);
  const { leads, counts, due } = followUps;
  const others = leads.filter(({ id }) => due.every((lead) => lead.id !== id));
  if (leads.length === 0)
    return <EmptyState icon={CalendarCheck} title={t(`empty_${group}`)} description={t("emptyHint")} />;
  return (
    <div>
      {others.length === 0 ? (
        <p className="text-muted-foreground text-sm">{t("allDue")}</p>
      ) : (
        <FollowUpList leads={others} group={group} onOpenLead={onOpenLead} />
      )}
      {counts[group] > leads.length ? (
        <p className="border-t pt-3 text-muted-foreground text-sm">
          {t("more", { shown: formatNumber(leads.length), total: formatNumber(counts[group]) })}
        </p>
      ) : null}
    </div>
  );
}

interface FollowUpListProps {
  leads: FollowUps["leads"];
  group: FollowUpGroup | "due";
  onOpenLead: () => void;
}

function FollowUpList({ leads, group, onOpenLead }: FollowUpListProps) {
  const t = useMessages(followUpMessages);
  const { data: user } = useQuery(currentUserQuery());
  const list = useRef<HTMLUListElement>(null);

  /** The changed row disappears, so the focus moves to its neighbour. */
  function focusNeighbour(leadId: number): void {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-lead]") ?? [])];
    const index = rows.findIndex((row) => row.dataset.lead === String(leadId));
    (rows[index + 1] ?? rows[index - 1])?.querySelector("button")?.focus();
  }

  return (
    <ul
      ref={list}
      aria-label={t(group === "due" ? "dueNow" : group)}
      className={cn("grid divide-y", group !== "due" && "-mt-4")}
    >
      {leads.map((lead) => (
        <FollowUpRow
          key={lead.id}
          lead={lead}
          group={group}
          salesRepName={user && lead.assignedTo !== user.id ? lead.salesRepName : null}
          onSettled={() => focusNeighbour(lead.id)}
          onOpenLead={onOpenLead}
        />
      ))}
    </ul>
  );
}

function ListSkeleton() {
  const t = useMessages(followUpMessages);
  return (
    <div aria-busy="true" className="grid gap-6">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      {["a", "b", "c"].map((key) => (
        <div key={key} className="grid gap-2">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-9 w-full" />
        </div>
      ))}
    </div>
  );
}
