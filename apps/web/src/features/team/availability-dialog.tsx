import type { TeamMember } from "@portal/contract/routes/team";
import { type RefObject, useState } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { toast } from "../../ui/toast.ts";
import {
  AvailabilityFields,
  draftChanges,
  draftFault,
  draftOf,
} from "../availability/availability-fields.tsx";
import { awayChoices, awayUntil } from "../availability/away-values.ts";
import { teamDialogMessages } from "./dialog-messages.ts";
import { stateText, teamMessages } from "./messages.ts";
import { useUpdateMemberAvailability } from "./queries.ts";

interface AvailabilityDialogProps {
  member: TeamMember;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Another user's absence, working hours and stand-in. */
export function AvailabilityDialog({ member, ...ends }: AvailabilityDialogProps) {
  const t = useMessages(teamDialogMessages);
  const team = useMessages(teamMessages);
  const [before] = useState(member.availability);
  const [draft, setDraft] = useState(draftOf(before));
  const [now, setNow] = useState<"asItIs" | "backNow" | (typeof awayChoices)[number]>("asItIs");
  const { mutate, isPending } = useUpdateMemberAvailability(member);

  function awayChanges() {
    if (now === "asItIs") return null;
    if (now === "backNow") return { away: false };
    return { away: true, awayUntil: awayUntil(now, before, new Date())?.toISOString() ?? null };
  }
  function submit(): void {
    const changes = { ...draftChanges(draftOf(before), draft), ...awayChanges() };
    if (Object.keys(changes).length === 0)
      toast({ title: t("noChangesTitle"), description: t("noChangesText") });
    else if (draftFault(draft) === null) mutate(changes, { onSuccess: ends.onClose });
  }
  const state = stateText(before, team) || t("available");
  const choices = before.state === "away" ? (["backNow", ...awayChoices] as const) : awayChoices;
  return (
    <FormDialog
      title={t("availabilityTitle", { name: member.name })}
      description={t("availabilityText")}
      cancel={t("cancel")}
      action={t("save")}
      acting={t("saving")}
      isPending={isPending}
      onSubmit={submit}
      {...ends}
    >
      <Field label={t("reachable")}>
        {(control) => (
          <Select
            {...control}
            value={now}
            onValueChange={setNow}
            options={[
              { value: "asItIs", label: t("asItIs", { state }) },
              ...choices.map((value) => ({ value, label: t(value) })),
            ]}
          />
        )}
      </Field>
      <AvailabilityFields draft={draft} userId={member.id} onChange={setDraft} />
    </FormDialog>
  );
}
