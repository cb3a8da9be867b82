import type { DialerSession } from "@portal/contract/entities/dialer";
import { Building2, History, Phone } from "lucide-react";
import { Suspense, use, useRef, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { rowCardClasses } from "../../../ui/card.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { CallToolsContext } from "../../telephony/call/call-tools-context.ts";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { dialerMessages } from "../messages.ts";

const TimelineDialog = lateComponent(() => import("../../activity/timeline-dialog.tsx"));
const RecordingPlayer = lateComponent(async () => {
  const { RecordingPlayer } = await import("../../telephony/player/recording-player.tsx");
  return { default: RecordingPlayer };
});

/** The session's current lead: name, last attempt and known data. `isMissed`: the call has ended without reaching them. */
export function LeadInHand({ session, isMissed }: { session: DialerSession; isMissed: boolean }) {
  const t = useMessages(dialerMessages);
  const label = useMessages(leadLabelMessages);
  const { lead } = session;
  const Tools = use(CallToolsContext);
  if (!lead) return null;
  return (
    <article aria-label={lead.name} className={cn(rowCardClasses, "grid grid-cols-1 gap-3")}>
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 grid-cols-1 gap-1">
          <h3 className="break-words font-semibold text-base leading-6">
            <LeadLink leadId={lead.id}>{lead.name}</LeadLink>
          </h3>
          {lead.company ? (
            <p className="flex items-center gap-1.5 text-muted-foreground text-sm">
              <Building2 aria-hidden className="size-3.5 shrink-0" />
              <span className="truncate">{lead.company}</span>
            </p>
          ) : null}
          <p className="flex items-center gap-1.5 text-sm tabular-nums">
            <Phone aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
            {lead.phone ? formatPhone(lead.phone) : t("noPhone")}
          </p>
        </div>
        <div className="flex shrink-0 flex-col items-end gap-1.5">
          <Badge tone="info">{label(lead.status)}</Badge>
          <HistoryButton key={lead.id} lead={lead} />
        </div>
      </div>
      <p className="min-h-5 text-muted-foreground text-sm">
        {lead.attempts > 0 ? <LastAttempt lead={lead} /> : t("neverCalled")}
      </p>
      {/* With the height of the buttons, so that nothing moves when they load. */}
      <div className="min-h-8 pointer-coarse:min-h-11">
        {Tools ? (
          <Suspense fallback={null}>
            <Tools lead={lead} withHistory={false} isMissed={isMissed} />
          </Suspense>
        ) : null}
      </div>
      {lead.aiRecordingUrl ? (
        // With the height of the player, so that nothing moves when it loads.
        <Suspense fallback={<div className="h-12.5 rounded-lg bg-muted/70" />}>
          <RecordingPlayer
            key={lead.id}
            kind="aiRecording"
            url={lead.aiRecordingUrl}
            name={lead.name}
            seconds={lead.aiRecordingSeconds}
          />
        </Suspense>
      ) : null}
      {lead.notes ? (
        // Focusable, so that keys can scroll it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it.
        <section aria-label={t("leadNotes")} tabIndex={0} className="max-h-32 overflow-y-auto rounded-md">
          <p className="whitespace-pre-line break-words text-muted-foreground text-sm">{lead.notes}</p>
        </section>
      ) : null}
    </article>
  );
}

function HistoryButton({ lead }: { lead: { id: number; name: string } }) {
  const t = useMessages(dialerMessages);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={opener}
        variant="ghost"
        size="sm"
        className="-mr-2"
        aria-label={t("historyOf", { name: lead.name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <History aria-hidden />
        {t("history")}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <TimelineDialog lead={lead} onClose={() => setOpen(false)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}
