import { editableLeadStatuses, type Lead } from "@portal/contract/entities/lead";
import { Suspense, use } from "react";
import { type FollowUpChoice, followUpOf } from "../../../lib/follow-up.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { Field } from "../../../ui/field.tsx";
import { FollowUpPicker } from "../../../ui/follow-up-picker.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { Select } from "../../../ui/select.tsx";
import type { LeadPlan } from "./call-state.ts";
import { CallToolsContext } from "./call-tools-context.ts";
import { LastAttempt } from "./last-attempt.tsx";
import { NextTry } from "./next-try.tsx";

const callLeadMessages = defineMessages("call-lead", {
  lead: ["About the lead", "Sobre el prospecto"],
  lastNote: ["Last note", "Última nota"],
  noNote: ["No notes yet.", "Aún no hay notas."],
  neverCalled: ["Never called", "Nunca se le ha llamado"],
});

interface LeadBriefProps {
  lead: Lead;
  /** The call has ended without reaching the lead. */
  isMissed?: boolean;
  onOpenLead?: (() => void) | undefined;
}

/** The lead of a call: name (opens the lead), last call, last note, and buttons for SMS, meetings and history. */
export function LeadBrief({ lead, isMissed = false, onOpenLead }: LeadBriefProps) {
  const t = useMessages(callLeadMessages);
  const Tools = use(CallToolsContext);
  return (
    <section aria-label={t("lead")} className="grid gap-2 rounded-xl border p-3 text-sm">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <LeadLink leadId={lead.id} className="min-w-0 truncate font-medium" onOpen={onOpenLead}>
          {lead.name}
        </LeadLink>
        <span className="min-w-0 text-muted-foreground text-xs">
          {lead.attempts > 0 ? <LastAttempt lead={lead} /> : t("neverCalled")}
        </span>
      </div>
      <NextTry lead={lead} />
      {/* Notes are focusable, so that keys can scroll them. */}
      <section
        aria-label={t("lastNote")}
        tabIndex={lead.notes === null ? undefined : 0}
        className="max-h-24 overflow-y-auto rounded-md"
      >
        <p className="whitespace-pre-line break-words text-muted-foreground">{lead.notes ?? t("noNote")}</p>
      </section>
      {/* With the height of the buttons, so that nothing moves when they load. */}
      <div className="min-h-8 pointer-coarse:min-h-11">
        {Tools ? (
          <Suspense fallback={null}>
            <Tools lead={lead} isMissed={isMissed} />
          </Suspense>
        ) : null}
      </div>
    </section>
  );
}

/** On a phone the dock would cover the opened lead. */
export function minimiseOnPhones(minimise: () => void) {
  return () => {
    if (window.matchMedia("(max-width: 47.99rem)").matches) minimise();
  };
}

interface LeadPlanFieldsProps {
  lead: Lead;
  plan: LeadPlan;
  disabled: boolean;
  onChange: (plan: Partial<LeadPlan>) => void;
}

/** The plan for the lead after the call: the next follow-up and the status. */
export function LeadPlanFields({ lead, plan, disabled, onChange }: LeadPlanFieldsProps) {
  const label = useMessages(leadLabelMessages);
  const status = editableLeadStatuses.find((each) => each === (plan.status ?? lead.status));
  return (
    <>
      <FollowUpPicker
        value={plan.followUp}
        current={followUpOf(lead)}
        leadZone={lead.timeZone}
        onChange={(followUp: FollowUpChoice | null | undefined) => onChange({ followUp })}
      />
      {status ? (
        <Field label={label("status")}>
          {(control) => (
            <Select
              {...control}
              value={status}
              disabled={disabled}
              onValueChange={(chosen) => onChange({ status: chosen })}
              options={editableLeadStatuses.map((value) => ({ value, label: label(value) }))}
            />
          )}
        </Field>
      ) : null}
    </>
  );
}
