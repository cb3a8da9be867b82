import type { CurrentUser } from "@portal/contract/entities/user";
import { useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { NameEmailFields } from "../../account/components/name-email-fields.tsx";
import { profileChanges } from "../../account/profile-changes.ts";
import { codeOf, useUpdateProfile } from "../../account/queries.ts";
import { tellNoChanges } from "../queries.ts";
import { settingsTexts } from "../texts.ts";
import { SettingsCard } from "./settings-card.tsx";

/** Name and e-mail (specification §2, Settings). */
export function ProfileSection({ user }: { user: CurrentUser }) {
  const t = useTexts(settingsTexts);
  const [values, setValues] = useState({ name: user.name, email: user.email });
  const update = useUpdateProfile();
  const code = codeOf(update.error);

  const save = () => {
    const changes = profileChanges(user, values);
    if (changes === null) tellNoChanges();
    else update.mutate(changes, { onSuccess: ({ name, email }) => setValues({ name, email }) });
  };

  return (
    <SettingsCard
      title={t("profileTitle")}
      description={t("profileDescription")}
      saveLabel={t(update.isPending ? "saving" : "saveProfile")}
      isPending={update.isPending}
      onSave={save}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NameEmailFields
          labels={{ name: t("name"), email: t("email") }}
          values={values}
          emailError={code === "email_taken" || code === "invalid" ? errorText(update.error) : undefined}
          onChange={(change) => setValues({ ...values, ...change })}
        />
      </div>
    </SettingsCard>
  );
}
