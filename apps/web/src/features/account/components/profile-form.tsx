import type { CurrentUser } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.ts";
import { profileChanges, profileOf } from "../profile-changes.ts";
import { codeOf, useUpdateProfile } from "../queries.ts";
import { accountTexts } from "../texts.ts";
import { NameEmailFields } from "./name-email-fields.tsx";
import { PhotoField } from "./photo-field.tsx";

interface ProfileFormProps {
  user: CurrentUser;
  onClose: () => void;
}

export function ProfileForm({ user, onClose }: ProfileFormProps) {
  const t = useTexts(accountTexts);
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
