import type { TeamMember } from "@portal/contract/routes/team";
import { type RefObject, useState } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
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
import { LinkDialog, MemberDialog, type ShownLink } from "./member-dialog.tsx";
import type { MemberAction } from "./member-rows.tsx";
import { stateText, teamMessages } from "./messages.ts";
import {
  useEndSessions,
  useMakeLink,
  useReopenAccount,
  useResetSecondFactor,
  useUnlinkMember,
  useUpdateMemberAvailability,
} from "./queries.ts";
import { TransferDialog } from "./transfer-dialog.tsx";

interface MemberDialogsProps {
  action: MemberAction | "add";
  member: TeamMember | null;
  team: readonly TeamMember[];
  ownId: number;
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** The dialog for an action on an account. */
export default function MemberDialogs({ action, member, team, ownId, opener, onClose }: MemberDialogsProps) {
  const [made, setMade] = useState<ShownLink | null>(null);
  const ends = { onClose, returnFocusTo: opener };
  if (made) return <LinkDialog made={made} {...ends} />;
  if (!member) return <MemberDialog member={null} isSelf={false} onMade={setMade} {...ends} />;
  switch (action) {
    case "add":
    case "edit":
      return <MemberDialog member={member} isSelf={member.id === ownId} onMade={setMade} {...ends} />;
    case "availability":
      return <AvailabilityDialog member={member} {...ends} />;
    case "passwordLink":
      return <AskLink member={member} onMade={setMade} {...ends} />;
    case "signOut":
      return <AskSignOut member={member} {...ends} />;
    case "unlink":
      return <AskUnlink member={member} {...ends} />;
    case "resetFactor":
      return <AskResetFactor member={member} {...ends} />;
    case "reopen":
      return <AskReopen member={member} {...ends} />;
    case "close":
    case "transfer":
      return <TransferDialog member={member} team={team} closes={action === "close"} {...ends} />;
  }
}

interface AskProps {
  member: TeamMember;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

function AskLink({ member, onMade, onClose, ...rest }: AskProps & { onMade: (made: ShownLink) => void }) {
  const t = useMessages(teamDialogMessages);
  const make = useMakeLink(member);
  const { name } = member;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("linkAskTitle", { name })}
      description={t("linkAskText", { name })}
      cancelLabel={t("cancel")}
      confirmLabel={t("linkMake")}
      pending={make.isPending}
      onConfirm={() => make.mutate(undefined, { onSuccess: (link) => onMade({ member, link }) })}
      {...rest}
    />
  );
}

function AskSignOut({ member, onClose, ...rest }: AskProps) {
  const t = useMessages(teamDialogMessages);
  const end = useEndSessions(member);
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("signOutTitle", { name: member.name })}
      description={t("signOutText")}
      cancelLabel={t("cancel")}
      confirmLabel={t("signOut")}
      destructive
      pending={end.isPending}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
      {...rest}
    />
  );
}

function AskUnlink({ member, onClose, ...rest }: AskProps) {
  const t = useMessages(teamDialogMessages);
  const unlink = useUnlinkMember(member);
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("unlinkTitle", { name: member.name })}
      description={t("unlinkText")}
      cancelLabel={t("cancel")}
      confirmLabel={t("unlink")}
      destructive
      pending={unlink.isPending}
      onConfirm={() => unlink.mutate(undefined, { onSuccess: onClose })}
      {...rest}
    />
  );
}

function AskResetFactor({ member, onClose, ...rest }: AskProps) {
  const t = useMessages(teamDialogMessages);
  const reset = useResetSecondFactor(member);
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("resetFactorTitle", { name: member.name })}
      description={t("resetFactorText")}
      cancelLabel={t("cancel")}
      confirmLabel={t("resetFactor")}
      destructive
      pending={reset.isPending}
      onConfirm={() => reset.mutate(undefined, { onSuccess: onClose })}
      {...rest}
    />
  );
}

function AskReopen({ member, onClose, ...rest }: AskProps) {
  const t = useMessages(teamDialogMessages);
  const reopen = useReopenAccount(member);
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("reopenTitle", { name: member.name })}
      description={t("reopenText")}
      cancelLabel={t("cancel")}
      confirmLabel={t("reopen")}
      pending={reopen.isPending}
      onConfirm={() => reopen.mutate(undefined, { onSuccess: onClose })}
      {...rest}
    />
  );
}

interface AvailabilityDialogProps {
  member: TeamMember;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Another user's absence, working hours and stand-in. */
function AvailabilityDialog({ member, ...ends }: AvailabilityDialogProps) {
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
