import { editableLeadStatuses, type Lead, type Priority, priorities } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { Trophy, X } from "lucide-react";
import { type FormEvent, type RefObject, useState } from "react";
import {
  type FollowUpChoice,
  followUpChange,
  followUpInstant,
  followUpOf,
  sameFollowUpDay,
  startOfDay,
} from "../../../lib/follow-up.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import type { LeadChange } from "../../../lib/offline/queue-item.ts";
import { readTabJson, writeTab } from "../../../lib/storage-keys.ts";
import { StatusBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { DayPicker } from "../../../ui/day-picker.tsx";
import { Dialog, DialogBody, DialogFooter, type FormFrame } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { FollowUpTime } from "../../../ui/follow-up-time.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { leadDialogMessages } from "../dialog-messages.ts";
import { useUpdateLead } from "../mutations.ts";

interface UpdateStatusDialogProps {
  lead: Lead;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
  /** Continues with converting the lead. */
  onConvert: () => void;
}

/** Update Lead Status: status, priority, notes and follow-up. The input stays if saving fails. */
export default function UpdateStatusDialog({
  lead,
  onClose,
  returnFocusTo,
  onConvert,
}: UpdateStatusDialogProps) {
  const t = useMessages(leadDialogMessages);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("updateTitle")}
      description={lead.name}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
    >
      <UpdateStatusForm
        lead={lead}
        onDone={onClose}
        onConvert={onConvert}
        body={DialogBody}
        footer={DialogFooter}
      />
    </Dialog>
  );
}

interface UpdateStatusFormProps extends FormFrame {
  lead: Lead;
  /** Called when the changes were saved, or there were none. Omitted if the form stays: it then shows the current lead. */
  onDone?: () => void;
  onConvert: () => void;
}

/**
 * Status, priority, follow-up and notes. If the form stays (in a panel), its buttons appear with the first change, unchanged fields follow
 * the lead, and the input is stored until it is saved or discarded.
 */
export function UpdateStatusForm({
  lead,
  onDone,
  onConvert,
  body: Body,
  footer: Footer,
}: UpdateStatusFormProps) {
  const t = useMessages(leadDialogMessages);
  const label = useMessages(leadLabelMessages);
  const stays = onDone === undefined;
  const [kept] = useState(() => (stays ? readKept(lead.id) : null));
  const [opened, setOpened] = useState(kept?.opened ?? draftOf(lead));
  const [draft, setDraft] = useState(kept?.draft ?? opened);
  // The notes that those of the draft were made from.
  const [notesFrom, setNotesFrom] = useState(kept?.notesFrom ?? opened.notes);
  const update = useUpdateLead(lead);
  const now = draftOf(lead);
  if (stays && !isSame(opened, now)) {
    const next = rebased(draft, opened, now);
    setOpened(now);
    setDraft(next);
    if (next.notes.trim() === now.notes.trim()) setNotesFrom(now.notes);
  }
  const changed = changeOf(draft, opened);
  const added = addedTo(notesFrom, opened.notes);
  const isBehind = "notes" in (changed ?? {}) && notesFrom !== opened.notes;
  const write = (next: LeadDraft) => {
    setDraft(next);
    const from = next.notes === opened.notes ? opened.notes : notesFrom;
    setNotesFrom(from);
    if (stays) writeKept(lead.id, changeOf(next, opened) ? { opened, draft: next, notesFrom: from } : null);
  };
  const change = (part: Partial<LeadDraft>) => write({ ...draft, ...part });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (update.isPending) return;
    const onSuccess = () => {
      writeKept(lead.id, null);
      onDone?.();
    };
    if (!changed) onDone?.();
    else if (isBehind && added) {
      const notes = added.above + draft.notes.trim() + added.below;
      write({ ...draft, notes });
      update.mutate({ ...changed, notes }, { onSuccess });
    } else update.mutate(changed, { onSuccess });
  }

  return (
    <form onSubmit={submit} className="contents">
      <Body className="grid content-start gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          {draft.status ? (
            <Field label={label("status")}>
              {(control) => (
                <Select
                  {...control}
                  value={draft.status ?? "new"}
                  onValueChange={(status) => change({ status })}
                  options={editableLeadStatuses.map((value) => ({ value, label: label(value) }))}
                />
              )}
            </Field>
          ) : (
            <div className="grid content-start gap-1.5">
              <p className="font-medium text-[0.8125rem] leading-5">{label("status")}</p>
              <p className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-muted-foreground">
                <StatusBadge status="converted" />
                {t("convertedHint")}
              </p>
            </div>
          )}
          <Field label={label("priority")}>
            {(control) => (
              <Select
                {...control}
                value={draft.priority}
                onValueChange={(priority) => change({ priority })}
                options={priorities.map((value) => ({ value, label: label(value) }))}
              />
            )}
          </Field>
        </div>
        <FollowUpField
          value={draft.followUp}
          leadZone={lead.timeZone}
          onChange={(followUp) => change({ followUp })}
        />
        <Field
          label={t("notes")}
          hint={
            isBehind ? (
              <span role="status" className="whitespace-pre-line [overflow-wrap:anywhere]">
                {added
                  ? t("notesAdded", { text: (added.above + added.below).trim() })
                  : t("notesChanged", { text: opened.notes })}
              </span>
            ) : undefined
          }
        >
          {(control) => (
            <Textarea
              {...control}
              rows={4}
              maxLength={limits.notesMaxLength}
              placeholder={t("notesPlaceholder")}
              value={draft.notes}
              onChange={(event) => change({ notes: event.target.value })}
            />
          )}
        </Field>
      </Body>
      {stays && !changed && !draft.status ? null : (
        <Footer>
          {draft.status ? (
            <Button
              variant="secondary"
              className="sm:mr-auto"
              disabled={update.isPending}
              onClick={onConvert}
            >
              <Trophy aria-hidden />
              {t("convert")}
            </Button>
          ) : null}
          {stays && !changed ? null : (
            <>
              <Button variant="secondary" onClick={onDone ?? (() => write(opened))}>
                {t("cancel")}
              </Button>
              <Button type="submit" pending={update.isPending}>
                {update.isPending ? t("updating") : t("update")}
              </Button>
            </>
          )}
        </Footer>
      )}
    </form>
  );
}

interface FollowUpFieldProps {
  value: FollowUpChoice | null;
  leadZone: string | null;
  onChange: (value: FollowUpChoice | null) => void;
}

/** The day of the next follow-up, today or later, or none, optionally with a time. */
function FollowUpField({ value, leadZone, onChange }: FollowUpFieldProps) {
  const t = useMessages(leadDialogMessages);
  const time = value ?? { time: null, zone: null };
  return (
    <>
      <Field label={t("followUp")}>
        {(control) => (
          <div className="flex gap-2">
            <DayPicker
              {...control}
              data-act="followUp"
              className="min-w-0 flex-1"
              selected={value ? startOfDay(new Date(value.date)) : undefined}
              from={startOfDay(new Date())}
              onSelect={(day) => onChange({ ...time, date: followUpInstant(day) })}
              placeholder={t("pickDate")}
              calendarLabel={t("calendar")}
            />
            {value ? (
              <Button variant="ghost" size="icon" aria-label={t("clearDate")} onClick={() => onChange(null)}>
                <X aria-hidden />
              </Button>
            ) : null}
          </div>
        )}
      </Field>
      {value ? <FollowUpTime value={value} leadZone={leadZone} onChange={onChange} /> : null}
    </>
  );
}

type EditableStatus = (typeof editableLeadStatuses)[number];

/** Input of the Update Lead Status form. */
interface LeadDraft {
  /** Null for a client, whose status is fixed. */
  readonly status: EditableStatus | null;
  readonly priority: Priority;
  readonly notes: string;
  readonly followUp: FollowUpChoice | null;
}

const draftKey = (leadId: number) => `lead-desk.lead-draft.${leadId}`;

/** Unsaved input of a form in a panel, and the lead's values when it was opened; stored when the panel closes. */
interface KeptDraft {
  opened: LeadDraft;
  draft: LeadDraft;
  notesFrom?: string;
}

const readKept = (leadId: number) => readTabJson<KeptDraft>(draftKey(leadId));
const writeKept = (leadId: number, kept: KeptDraft | null) =>
  writeTab(draftKey(leadId), kept && JSON.stringify(kept));

/** Unsaved notes of such a form, or null. */
export const unsavedNotes = (leadId: number) => readKept(leadId)?.draft.notes || null;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What was added above and below notes, as notes of others and of the panel's composer are; null if their words changed. */
function addedTo(from: string, now: string): { above: string; below: string } | null {
  if (from === "") return { above: `${now}\n\n`, below: "" };
  if (now.endsWith(from)) return { above: now.slice(0, -from.length), below: "" };
  return now.startsWith(from) ? { above: "", below: now.slice(from.length) } : null;
}

/** The lead changed meanwhile: unedited fields take the new values, edited ones stay. */
function rebased(draft: LeadDraft, opened: LeadDraft, now: LeadDraft): LeadDraft {
  const own = <K extends keyof LeadDraft>(field: K) =>
    isSame(draft[field], opened[field]) ? now[field] : draft[field];
  return {
    status: now.status === null ? null : own("status"),
    priority: own("priority"),
    notes: own("notes"),
    followUp: own("followUp"),
  };
}

function draftOf(lead: Lead): LeadDraft {
  return {
    status: editableLeadStatuses.find((status) => status === lead.status) ?? null,
    priority: lead.priority,
    notes: lead.notes ?? "",
    followUp: followUpOf(lead),
  };
}

/** The original follow-up; if the current one is on the same day, with the current instant of that day. */
function sameDay(opened: FollowUpChoice | null, now: FollowUpChoice | null): FollowUpChoice | null {
  return opened && now && sameFollowUpDay(opened.date, now.date) ? { ...opened, date: now.date } : opened;
}

/** The fields that differ from the opened lead; null if none does. Empty notes are sent as null. */
function changeOf(draft: LeadDraft, opened: LeadDraft): LeadChange | null {
  const change: LeadChange = {
    ...(draft.status && draft.status !== opened.status ? { status: draft.status } : {}),
    ...(draft.priority !== opened.priority ? { priority: draft.priority } : {}),
    ...(draft.notes.trim() !== opened.notes.trim() ? { notes: draft.notes.trim() || null } : {}),
    ...followUpChange(draft.followUp, sameDay(opened.followUp, draft.followUp)),
  };
  return Object.keys(change).length > 0 ? change : null;
}
