import type { DialerSession } from "@portal/contract/entities/dialer";
import { followUpChange, followUpOf } from "../../../lib/follow-up.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { lineMessages } from "../line-messages.ts";
import { useSaveLeftDraft } from "../queries.ts";
import type { LeftDraft } from "../use-left-draft.ts";

/** Whom the notes below are about. */
export function LeftHint({ left }: { left: LeftDraft }) {
  const t = useMessages(lineMessages);
  return (
    <div
      role="status"
      className="grid gap-0.5 rounded-xl bg-warning-soft px-3 py-2 text-sm text-warning-text"
    >
      <p className="font-medium">{t("leftNotes", { name: left.name })}</p>
      <p>{t("leftHint")}</p>
    </div>
  );
}

/** Saves them with the call, whose outcome stays, or lets go of them. */
export function LeftActions({ session, left }: { session: DialerSession; left: LeftDraft }) {
  const t = useMessages(lineMessages);
  const save = useSaveLeftDraft(session.id);
  const { callId, of, draft, close } = left;
  const onSave = () => {
    const status = draft.status !== null && draft.status !== of.lead?.status ? draft.status : undefined;
    const followUp = followUpChange(draft.followUp, of.lead && followUpOf(of.lead));
    // The outcome that was given first holds: this one only counts should there be none after all.
    const outcome = draft.outcome ?? of.suggestedOutcome ?? "answered";
    const notes = draft.notes.trim() || null;
    save.mutate({ callId, outcome, notes, ...(status && { status }), ...followUp }, { onSuccess: close });
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" pending={save.isPending} onClick={onSave}>
        {t("saveNotes")}
      </Button>
      <Button size="sm" variant="secondary" onClick={close}>
        {t("discardNotes")}
      </Button>
    </div>
  );
}
