import { readAttendees } from "@portal/contract/attendees";
import type { Meeting } from "@portal/contract/entities/meeting";
import { limits } from "@portal/contract/limits";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { ApiError } from "../../lib/api.ts";
import { useMessages } from "../../lib/i18n.ts";
import { useClientRef } from "../../lib/use-client-ref.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter, type FormFrame } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { toast } from "../../ui/toast.ts";
import { AttendeesField, LeadField } from "./components/people-fields.tsx";
import { TypeFields } from "./components/type-fields.tsx";
import { FreeSlots, WhenFields } from "./components/when-fields.tsx";
import {
  bodyOf,
  changesOf,
  draftOf,
  hasGoodLink,
  type MeetingDraft,
  type MeetingLead,
  missingFields,
  timesOf,
} from "./meeting-draft.ts";
import { meetingMessages } from "./meeting-messages.ts";
import { browserZone, instantsOf, wallTime } from "./meeting-values.ts";
import { isSlotTaken, useCreateMeeting, useUpdateMeeting } from "./queries.ts";

interface MeetingDialogProps {
  /** The meeting to edit; without one a new one is scheduled. */
  meeting?: Meeting | null;
  /** The lead of a new meeting. */
  lead?: MeetingLead | null;
  /** Opened from a call: title and guest are prefilled, and free slots are offered. */
  fromCall?: boolean;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Schedule/Edit Meeting. The input stays if saving fails. */
export default function MeetingDialog({
  meeting = null,
  lead = null,
  fromCall = false,
  onClose,
  returnFocusTo,
}: MeetingDialogProps) {
  const t = useMessages(meetingMessages);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={meeting ? t("editTitle") : t("scheduleTitle")}
      {...(lead ? { description: t("scheduleHint", { name: lead.name }) } : {})}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      className="max-w-xl"
    >
      <MeetingForm
        meeting={meeting}
        lead={lead}
        fromCall={fromCall}
        onDone={onClose}
        body={DialogBody}
        footer={DialogFooter}
      />
    </Dialog>
  );
}

const isLostSlot = (error: unknown) =>
  isSlotTaken(error) || (error instanceof ApiError && error.code === "provider_unavailable");

interface MeetingFormProps extends FormFrame {
  meeting: Meeting | null;
  lead: MeetingLead | null;
  fromCall?: boolean;
  /** Called when the meeting was saved, or the form was canceled. */
  onDone: () => void;
}

/** The form for a meeting. */
export function MeetingForm(props: MeetingFormProps) {
  const { meeting, lead, fromCall = false, onDone, body: Body, footer: Footer } = props;
  const t = useMessages(meetingMessages);
  const zone = browserZone();
  const [draft, setDraft] = useState(() =>
    draftOf(meeting, lead, zone, fromCall && lead ? t("meetingWith", { name: lead.name }) : null),
  );
  // The chosen slot: the server only accepts it if it is still free.
  const [slot, setSlot] = useState<{ start: string | null; refusal: "slotTaken" | "slotUnread" | null }>({
    start: null,
    refusal: null,
  });
  const [slotTries, setSlotTries] = useState(0);
  const [tries, setTries] = useState(0);
  const tried = tries > 0;
  const form = useRef<HTMLFormElement>(null);
  const create = useCreateMeeting();
  const update = useUpdateMeeting(meeting);
  const asked = useRef(false);
  const clientRef = useClientRef();
  const change = (part: Partial<MeetingDraft>) => setDraft((before) => ({ ...before, ...part }));
  const times = timesOf(draft, zone);
  const missing = missingFields(draft);
  // An unchanged link is not validated, as it may come from Google.
  const badLink = draft.meetingLink !== (meeting?.meetingLink ?? "") && !hasGoodLink(draft);
  const isPending = create.isPending || update.isPending;
  const isSlot = slot.start !== null && times.start?.toISOString() === slot.start;
  const chooseSlot = (start: string) => {
    const wall = wallTime(start, zone);
    const [, second] = instantsOf(wall, zone);
    change({ ...wall, second: second?.toISOString() === start });
    setSlot({ start, refusal: null });
  };
  const loseSlot = (error: unknown) => {
    if (!isSlot) return;
    setSlot({ start: null, refusal: isSlotTaken(error) ? "slotTaken" : "slotUnread" });
    if (!isSlotTaken(error)) return;
    change({ day: "", time: "" });
    setSlotTries((before) => before + 1);
  };

  // After a refused save the first invalid field gets the focus.
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tries]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    // A ref instead of the mutation's state, as a double click arrives before the next render.
    if (asked.current) return;
    setTries((before) => before + 1);
    if (missing.size > 0) {
      toast({ title: t("missingTitle"), description: t("missingText"), tone: "destructive" });
      return;
    }
    const { start, end } = times;
    if (!start || !end || readAttendees(draft.attendeeEmails).bad.length > 0 || badLink) return;
    const body = bodyOf(draft, { start, end }, zone);
    const changes = meeting ? changesOf(body, meeting) : body;
    if (Object.keys(changes).length === 0) {
      onDone();
      return;
    }
    asked.current = true;
    const after = {
      onSuccess: onDone,
      onError: (error: unknown) => {
        asked.current = false;
        if (isLostSlot(error)) loseSlot(error);
      },
    };
    if (meeting) update.mutate(changes, after);
    else create.mutate({ ...body, onlyIfFree: isSlot, clientRef: clientRef.of(body) }, after);
  }

  return (
    <form ref={form} onSubmit={submit} className="contents" noValidate>
      <Body className="grid content-start gap-4">
        <Field label={t("title")} error={tried && missing.has("title") ? t("required") : undefined}>
          {(control) => (
            <Input
              {...control}
              required
              placeholder={t("titlePlaceholder")}
              maxLength={limits.nameMaxLength}
              value={draft.title}
              onChange={(event) => change({ title: event.target.value })}
            />
          )}
        </Field>
        {lead ? null : <LeadField lead={draft.lead} onChange={(lead) => change({ lead })} />}
        {fromCall ? (
          <div className="grid gap-2">
            <FreeSlots
              minutes={draft.minutes}
              leadZone={lead?.timeZone ?? null}
              tries={slotTries}
              value={isSlot ? slot.start : null}
              onChoose={chooseSlot}
            />
            <p role="alert" className="text-danger-text text-sm empty:hidden">
              {slot.refusal === null ? null : t(slot.refusal)}
            </p>
          </div>
        ) : null}
        <WhenFields
          draft={draft}
          onChange={change}
          times={times}
          meeting={meeting}
          missing={tried ? missing : new Set()}
        />
        <TypeFields draft={draft} onChange={change} badLink={badLink} tried={tried} />
        <AttendeesField
          value={draft.attendeeEmails}
          onChange={(attendeeEmails) => change({ attendeeEmails })}
          suggestion={draft.lead?.email ?? null}
          tried={tried}
        />
        <Field label={t("description")}>
          {(control) => (
            <Textarea
              {...control}
              maxLength={limits.notesMaxLength}
              value={draft.description}
              onChange={(event) => change({ description: event.target.value })}
            />
          )}
        </Field>
      </Body>
      <Footer>
        <Button variant="secondary" onClick={onDone}>
          {t("cancel")}
        </Button>
        <Button type="submit" pending={isPending}>
          {meeting
            ? t(update.isPending ? "updating" : "update")
            : t(create.isPending ? "scheduling" : "schedule")}
        </Button>
      </Footer>
    </form>
  );
}
