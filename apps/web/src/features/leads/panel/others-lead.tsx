import type { Lead } from "@portal/contract/entities/lead";
import { UserRoundCheck } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { PriorityBadge, StatusBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { readDraft } from "../../sms/thread-state.ts";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { unsavedNotes } from "../components/update-status-dialog.tsx";
import { unsavedNote } from "./lead-composer.tsx";
import { KnownFields, LeadFacts, LeadRegion } from "./lead-facts.tsx";
import { leadPanelMessages } from "./messages.ts";

const AssignDialog = lateComponent(() => import("../components/assign-dialog.tsx"));

/** A lead of another consultant, or an unassigned one that can be assigned: the data that everybody may see. */
export function OthersLead({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
  const assign = useRef<HTMLButtonElement>(null);
  const isFree = lead.assignedTo === null;
  const onAssign = () =>
    openDialog((close) => <AssignDialog lead={lead} onClose={close} returnFocusTo={assign} />);
  return (
    <>
      <div className="grid gap-2">
        <p className="flex flex-wrap gap-2">
          <StatusBadge status={lead.status} />
          <PriorityBadge priority={lead.priority} />
        </p>
        <LastAttempt lead={lead} className="text-sm" />
      </div>
      <p className="rounded-lg bg-muted/70 px-4 py-3 text-muted-foreground text-sm">
        {isFree ? t("nobodys") : t("theirs", { name: lead.salesRepName ?? t("notAvailable") })}
      </p>
      <Unsaved leadId={lead.id} />
      {isFree ? (
        <Button ref={assign} className="justify-self-start" onClick={onAssign}>
          <UserRoundCheck aria-hidden />
          {t("assign")}
        </Button>
      ) : null}
      <LeadFacts lead={lead} />
      {lead.notes ? (
        <div className="text-sm">
          <p className="text-muted-foreground text-xs">{t("notes")}</p>
          <p className="whitespace-pre-line break-words">{lead.notes}</p>
        </div>
      ) : null}
      <LeadRegion leadId={lead.id} />
      <KnownFields leadId={lead.id} />
    </>
  );
}

/** Unsaved text from before the lead was reassigned: it cannot be saved here any more, but copied. */
function Unsaved({ leadId }: { leadId: number }) {
  const t = useMessages(leadPanelMessages);
  const typed = [unsavedNotes(leadId), unsavedNote(leadId), readDraft(leadId)].filter((text) => text);
  if (typed.length === 0) return null;
  return (
    <div className="grid gap-1.5 rounded-lg border px-4 py-3 text-sm">
      <p className="text-muted-foreground">{t("unsaved")}</p>
      {typed.map((text) => (
        <p key={text} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
      ))}
    </div>
  );
}
