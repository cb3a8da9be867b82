import type { CurrentUser } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.ts";
import { accountMessages } from "./messages.ts";
import { PhotoField } from "./photo-field.tsx";
import { codeOf, profileChanges, profileOf, useUpdateProfile } from "./queries.ts";

interface ProfileFormProps {
  user: CurrentUser;
  onClose: () => void;
}

export function ProfileForm({ user, onClose }: ProfileFormProps) {
  const t = useMessages(accountMessages);
  const [values, setValues] = useState(() => profileOf(user));
  const [isReading, setReading] = useState(false);
  const update = useUpdateProfile();
  const code = codeOf(update.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReading) return;
    const changes = profileChanges(user, values);
    if (changes === null) toast({ title: t("noChangesTitle"), description: t("noChangesText") });
    else update.mutate(changes, { onSuccess: onClose });
  };

  return (
    <form noValidate onSubmit={submit} className="grid gap-4 px-5 py-5 sm:px-6">
      <PhotoField
        name={values.name}
        image={values.profileImage}
        error={code === "image_invalid" ? errorText(update.error) : undefined}
        onChange={(profileImage) => setValues((now) => ({ ...now, profileImage }))}
        onReading={setReading}
      />
      <NameEmailFields
        labels={{ name: t("fullName"), email: t("email") }}
        values={values}
        emailError={code === "email_taken" ? errorText(update.error) : undefined}
        onChange={(change) => setValues((now) => ({ ...now, ...change }))}
      />
      <Field
        label={t("phone")}
        hint={t("phoneHint")}
        error={code === "phone_invalid" ? errorText(update.error) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            type="tel"
            autoComplete="tel"
            maxLength={limits.phoneMaxLength}
            placeholder={t("phonePlaceholder")}
            value={values.personalPhoneNumber}
            onChange={({ target }) => setValues((now) => ({ ...now, personalPhoneNumber: target.value }))}
          />
        )}
      </Field>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button type="submit" disabled={isReading} pending={update.isPending}>
          {t(update.isPending ? "saving" : "save")}
        </Button>
      </div>
    </form>
  );
}

interface NameEmailFieldsProps {
  labels: { name: string; email: string };
  values: { name: string; email: string };
  /** What is wrong with the email. */
  emailError: string | undefined;
  onChange: (change: { name?: string; email?: string }) => void;
}

/** Fields for the user's name and email. */
export function NameEmailFields({ labels, values, emailError, onChange }: NameEmailFieldsProps) {
  return (
    <>
      <Field label={labels.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            maxLength={limits.nameMaxLength}
            value={values.name}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <Field label={labels.email} error={emailError}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="email"
            maxLength={limits.emailMaxLength}
            value={values.email}
            onChange={({ target }) => onChange({ email: target.value })}
          />
        )}
      </Field>
    </>
  );
}
