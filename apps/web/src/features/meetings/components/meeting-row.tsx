import type { CalendarType, Meeting } from "@portal/contract/entities/meeting";
import { downloadMeeting } from "@portal/contract/routes/meetings";
import {
  CloudOff,
  CloudUpload,
  Download,
  EllipsisVertical,
  Pencil,
  Trash2,
  Users,
  Video,
} from "lucide-react";
import { type RefObject, useRef } from "react";
import { routeUrl } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { formatZoneCity } from "../../../lib/format-zone.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { rowCardClasses } from "../../../ui/card.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { meetingMessages } from "../meeting-messages.ts";
import { attendeeCount, rangeElsewhere, timeRange } from "../meeting-values.ts";
import { calendarMessages } from "../messages.ts";

const tones: Record<CalendarType | "unsynced", BadgeTone> = {
  google: "info",
  outlook: "violet",
  local: "neutral",
  unsynced: "warning",
};

/** The calendar that contains the meeting; Google only if it is in sync. */
function placeOf({ calendarType, sync }: Meeting): CalendarType | "unsynced" {
  if (sync === "synced") return "google";
  if (calendarType !== "google") return calendarType;
  return sync === "none" ? "local" : "unsynced";
}

/** Insecure links, from Google or from earlier versions, are shown as text. */
const isSecureLink = (link: string) => link.startsWith("https://");

interface MeetingRowProps {
  meeting: Meeting;
  now: number;
  onEdit: (meeting: Meeting, opener: RefObject<HTMLElement | null>) => void;
  onDelete: (meeting: Meeting) => void;
}

/** One meeting: time, title, lead and actions. */
export function MeetingRow({ meeting, now, onEdit, onDelete }: MeetingRowProps) {
  const t = useMessages(calendarMessages);
  const label = useMessages(meetingMessages);
  const { title, meetingLink, description, leadName } = meeting;
  const place = placeOf(meeting);
  const elsewhere = rangeElsewhere(meeting);
  const invited = attendeeCount(meeting);
  const isNow = Date.parse(meeting.startTime) <= now && now < Date.parse(meeting.endTime);
  return (
    <article
      aria-label={title}
      className={cn(
        rowCardClasses,
        "grid grid-cols-[minmax(0,1fr)_auto] gap-x-5 gap-y-2 sm:grid-cols-[11.5rem_minmax(0,1fr)_auto]",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-2 text-sm sm:block">
        <p className="font-medium tabular-nums">{timeRange(meeting)}</p>
        {elsewhere ? (
          <p className="text-muted-foreground text-xs">
            {t("inZone", { range: elsewhere, zone: formatZoneCity(meeting.timeZone) })}
          </p>
        ) : null}
        {isNow ? (
          <Badge tone="success" className="sm:mt-1">
            {t("now")}
          </Badge>
        ) : null}
      </div>
      <div className="order-last col-span-2 grid min-w-0 content-start gap-1.5 sm:order-none sm:col-span-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="min-w-0 font-semibold leading-6 [overflow-wrap:anywhere]">{title}</h3>
          <Badge tone={tones[place]}>{place === "unsynced" ? t("unsynced") : label(`type_${place}`)}</Badge>
        </div>
        {leadName || invited > 0 ? (
          <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-sm">
            {leadName && meeting.leadId !== null ? (
              <LeadLink leadId={meeting.leadId}>{t("withLead", { name: leadName })}</LeadLink>
            ) : null}
            {invited > 0 ? (
              <span className="inline-flex items-center gap-1.5">
                <Users aria-hidden className="size-3.5" />
                {t("attendees", { count: invited })}
              </span>
            ) : null}
          </p>
        ) : null}
        {description ? (
          <p className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">{description}</p>
        ) : null}
        <SyncNote meeting={meeting} />
        {meetingLink && !isSecureLink(meetingLink) ? (
          <p className="text-muted-foreground text-sm [overflow-wrap:anywhere]">{meetingLink}</p>
        ) : null}
        {meetingLink && isSecureLink(meetingLink) ? (
          <Button asChild variant="secondary" size="sm" className="mt-0.5 justify-self-start">
            <a href={meetingLink} target="_blank" rel="noreferrer" aria-label={t("joinTitle", { title })}>
              <Video aria-hidden />
              {t("join")}
            </a>
          </Button>
        ) : null}
      </div>
      <RowMenu meeting={meeting} onEdit={onEdit} onDelete={onDelete} />
    </article>
  );
}

/** The state of syncing with Google, if it is worth mentioning. */
function SyncNote({ meeting }: { meeting: Meeting }) {
  const t = useMessages(calendarMessages);
  if (meeting.sync === "none" && meeting.calendarType === "google") {
    return (
      <p className="flex items-center gap-1.5 text-muted-foreground text-xs">
        <CloudOff aria-hidden className="size-3.5 shrink-0" />
        {t("keptHere")}
      </p>
    );
  }
  if (meeting.sync === "pending") {
    return (
      <p className="flex items-center gap-1.5 text-muted-foreground text-xs">
        <CloudUpload aria-hidden className="size-3.5 shrink-0" />
        {t("syncPending")}
      </p>
    );
  }
  if (meeting.sync !== "failed") return null;
  return (
    <p className="flex items-center gap-1.5 text-danger-text text-xs">
      <CloudOff aria-hidden className="size-3.5 shrink-0" />
      {meeting.syncError ? t("syncFailed", { reason: meeting.syncError }) : t("syncFailedNoReason")}
    </p>
  );
}

function RowMenu({ meeting, onEdit, onDelete }: Omit<MeetingRowProps, "now">) {
  const t = useMessages(calendarMessages);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          ref={opener}
          variant="ghost"
          size="icon-sm"
          className="-my-1"
          aria-label={t("actions", { title: meeting.title })}
        >
          <EllipsisVertical aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={() => onEdit(meeting, opener)}>
          <Pencil aria-hidden />
          {t("edit")}
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={routeUrl(downloadMeeting, { params: { id: meeting.id } })} download>
            <Download aria-hidden />
            {t("download")}
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => onDelete(meeting)}>
          <Trash2 aria-hidden />
          {t("delete")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
