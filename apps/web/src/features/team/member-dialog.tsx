import { readAttendees } from "@portal/contract/attendees";
import { type Language, languages, type Role, roles } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import type { RouteResponse } from "@portal/contract/route";
import type { createMember, TeamMember } from "@portal/contract/routes/team";
import { type RefObject, useState } from "react";
import { formatDate, formatTime } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog, DialogBody, DialogFooter, FormDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { toast } from "../../ui/toast.ts";
import { teamDialogMessages } from "./dialog-messages.ts";
import { isEmailTaken, useCreateMember, useUpdateMember } from "./queries.ts";

interface MemberValues {
  name: string;
  email: string;
  role: Role;
  language: Language;
}

interface MemberDialogProps {
  /** Null for a new account. */
  member: TeamMember | null;
  isSelf: boolean;
  onMade: (made: ShownLink) => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

function valuesOf(member: TeamMember | null): MemberValues {
  const { name = "", email = "", role = "consultant", language = "en" } = member ?? {};
  return { name, email, role, language };
}

/** The changed fields; null without changes. */
function changesOf(member: TeamMember, values: MemberValues): Partial<MemberValues> | null {
  const changed = (Object.keys(values) as (keyof MemberValues)[]).filter(
    (key) => values[key] !== member[key],
  );
  return changed.length > 0 ? Object.fromEntries(changed.map((key) => [key, values[key]])) : null;
}

function isEmail(typed: string): boolean {
  const { emails, bad } = readAttendees(typed);
  return emails.length === 1 && bad.length === 0 && emails[0] === typed;
}

/** Creates an account, or edits one. */
export function MemberDialog({ member, isSelf, onMade, onClose, returnFocusTo }: MemberDialogProps) {
  return member ? (
    <EditMember member={member} isSelf={isSelf} onClose={onClose} returnFocusTo={returnFocusTo} />
  ) : (
    <AddMember onMade={onMade} onClose={onClose} returnFocusTo={returnFocusTo} />
  );
}

function AddMember({ onMade, ...rest }: Pick<MemberDialogProps, "onMade" | "onClose" | "returnFocusTo">) {
  const t = useMessages(teamDialogMessages);
  const create = useCreateMember();
  return (
    <MemberForm
      title={t("addTitle")}
      description={t("addText")}
      initial={valuesOf(null)}
      action={t("add")}
      acting={t("adding")}
      save={create}
      onSubmit={(values) => create.mutate(values, { onSuccess: onMade })}
      {...rest}
    />
  );
}

function EditMember({
  member,
  isSelf,
  onClose,
  returnFocusTo,
}: Pick<MemberDialogProps, "isSelf" | "onClose" | "returnFocusTo"> & { member: TeamMember }) {
  const t = useMessages(teamDialogMessages);
  const update = useUpdateMember(member);
  return (
    <MemberForm
      title={t("editTitle", { name: member.name })}
      initial={valuesOf(member)}
      action={t("save")}
      acting={t("saving")}
      save={update}
      roleChange={isSelf ? t("roleChangeOwn") : t("roleChange", { name: member.name })}
      onSubmit={(values) => {
        const changes = changesOf(member, values);
        if (changes === null) toast({ title: t("noChangesTitle"), description: t("noChangesText") });
        else update.mutate(changes, { onSuccess: onClose });
      }}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    />
  );
}

interface MemberFormProps {
  title: string;
  description?: string;
  initial: MemberValues;
  action: string;
  acting: string;
  save: { isPending: boolean; error: unknown };
  /** Consequences of a changed role. */
  roleChange?: string;
  /** Called with valid values. */
  onSubmit: (values: MemberValues) => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

function MemberForm(props: MemberFormProps) {
  const { title, description, initial, action, acting, save, roleChange, onSubmit, onClose, returnFocusTo } =
    props;
  const t = useMessages(teamDialogMessages);
  const [values, setValues] = useState(initial);
  const [tried, setTried] = useState(false);
  const set = (change: Partial<MemberValues>) => setValues({ ...values, ...change });
  const trimmed = { ...values, name: values.name.trim(), email: values.email.trim() };
  const isNamed = trimmed.name !== "";
  const isAddress = isEmail(trimmed.email);
  const emailError =
    tried && !isAddress ? t("emailBad") : isEmailTaken(save.error) ? t("emailTaken") : undefined;

  function submit(): void {
    setTried(true);
    if (isNamed && isAddress && !save.isPending) onSubmit(trimmed);
  }

  return (
    <FormDialog
      title={title}
      description={description}
      cancel={t("cancel")}
      action={action}
      acting={acting}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <Field label={t("name")} error={tried && !isNamed ? t("nameMissing") : undefined}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={limits.nameMaxLength}
            value={values.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("email")} hint={t("emailHint")} error={emailError}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="off"
            maxLength={limits.emailMaxLength}
            value={values.email}
            onChange={(event) => set({ email: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t("role")}
        hint={roleChange && values.role !== initial.role ? roleChange : t(`roleHint_${values.role}`)}
      >
        {(control) => (
          <Select
            {...control}
            value={values.role}
            onValueChange={(role) => set({ role })}
            options={roles.map((value) => ({ value, label: t(`role_${value}`) }))}
          />
        )}
      </Field>
      <Field label={t("language")}>
        {(control) => (
          <Select
            {...control}
            value={values.language}
            onValueChange={(language) => set({ language })}
            options={languages.map((value) => ({ value, label: t(`language_${value}`) }))}
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** A one-time link and its account; the link is null if the login provider manages passwords. */
export interface ShownLink {
  member: TeamMember;
  link: RouteResponse<typeof createMember>["link"];
}

interface LinkDialogProps {
  made: ShownLink;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Shows a one-time link, once. */
export function LinkDialog({ made: { member, link }, onClose, returnFocusTo }: LinkDialogProps) {
  const t = useMessages(teamDialogMessages);
  const { name, email } = member;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      // A click outside would lose the link.
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      title={link ? t("linkTitle", { name }) : t("noLinkTitle")}
      description={link ? t("linkText", { name }) : t("noLinkText", { name, email })}
      className="max-w-lg"
    >
      {link ? (
        <DialogBody className="grid gap-3">
          <CopyField
            label={t("link")}
            value={link.url}
            hint={t("linkUntil", { when: `${formatDate(link.expiresAt)}, ${formatTime(link.expiresAt)}` })}
          />
          {link.mailed ? <p className="text-sm">{t("linkMailed", { email })}</p> : null}
        </DialogBody>
      ) : (
        <div className="h-5" />
      )}
      <DialogFooter>
        <Button onClick={onClose}>{t("done")}</Button>
      </DialogFooter>
    </Dialog>
  );
}
