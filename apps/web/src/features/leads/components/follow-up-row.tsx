import type { Lead } from "@portal/contract/entities/lead";
import type { FollowUpGroup } from "@portal/contract/routes/assignment";
import { CalendarClock, Check, TriangleAlert } from "lucide-react";
import { formatDate, formatPhone } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { PriorityBadge, StatusBadge } from "../../../ui/lead-badges.tsx";
import { followUpTexts } from "../follow-up-texts.ts";
import { useUpdateLead } from "../mutations.ts";
import { CallNowButton } from "./call-now-button.tsx";
import { SnoozeButton } from "./snooze-button.tsx";

interface FollowUpRowProps {
  lead: Lead;
  group: FollowUpGroup;
  /** Whose lead it is, where one sees those of everyone. */
  salesRepName: string | null;
  /** The follow-up is settled here and leaves the group. */
  onSettled: () => void;
}

/** One lead to get back to: since when, and the three things to do about it. */
export function FollowUpRow({ lead, group, salesRepName, onSettled }: FollowUpRowProps) {
  const t = useTexts(followUpTexts);
  const update = useUpdateLead(lead);
  const save = (nextFollowUpDate: string | null) => {
    if (!update.isPending) update.mutate({ nextFollowUpDate }, { onSuccess: onSettled });
  };
  const facts = [lead.company, lead.phone && formatPhone(lead.phone), salesRepName].filter((fact) => fact);
  return (
    <li data-lead={lead.id} aria-label={lead.name} className="grid gap-2.5 py-4">
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <h3 className="break-words font-semibold">{lead.name}</h3>
          <p className="flex flex-wrap gap-x-1.5 text-muted-foreground text-sm">
            {facts.map((fact, index) => (
              <span key={fact} className="min-w-0 break-words">
                {fact}
                {index < facts.length - 1 ? " ·" : null}
              </span>
            ))}
          </p>
          <DueBadge date={lead.nextFollowUpDate ?? ""} group={group} />
        </div>
        <div className="flex shrink-0 flex-col items-end gap-1.5 pt-0.5">
          <StatusBadge status={lead.status} />
          <PriorityBadge priority={lead.priority} />
        </div>
      </div>
      {lead.notes ? (
        <p className="line-clamp-2 whitespace-pre-line break-words text-muted-foreground text-sm">
          {lead.notes}
        </p>
      ) : null}
      {/* On a phone the call has a line of its own. */}
      <div className="flex flex-wrap gap-2 [&>:first-child]:basis-full sm:[&>:first-child]:basis-0">
        <CallNowButton lead={lead} />
        <Button
          variant="secondary"
          className="flex-1 sm:flex-none"
          aria-label={t("doneFor", { name: lead.name })}
          disabled={update.isPending}
          onClick={() => save(null)}
        >
          <Check aria-hidden />
          {t("done")}
        </Button>
        <SnoozeButton name={lead.name} disabled={update.isPending} onSnooze={save} />
      </div>
    </li>
  );
}

function DueBadge({ date, group }: { date: string; group: FollowUpGroup }) {
  const t = useTexts(followUpTexts);
  if (group === "overdue")
    return (
      <Badge tone="danger" className="w-fit">
        <TriangleAlert aria-hidden />
        {t("overdueSince", { date: formatDate(date) })}
      </Badge>
    );
  return (
    <Badge tone={group === "today" ? "warning" : "neutral"} className="w-fit">
      <CalendarClock aria-hidden />
      {group === "today" ? t("dueToday") : t("dueOn", { date: formatDate(date) })}
    </Badge>
  );
}
