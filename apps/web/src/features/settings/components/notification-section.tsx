import type { NotificationSettings, Settings } from "@portal/contract/entities/settings";
import { useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { useSaveNotifications } from "../../notices/queries.ts";
import { changedValues } from "../changed-values.ts";
import { tellFailed, tellNoChanges, tellSaved } from "../queries.ts";
import { settingsTexts } from "../texts.ts";
import { DesktopRow } from "./desktop-row.tsx";
import { SettingsCard } from "./settings-card.tsx";
import { ToggleRow } from "./toggle-row.tsx";

/** Which notices are wanted (specification §2, Settings). */
export function NotificationSection({ settings }: { settings: Settings }) {
  const t = useTexts(settingsTexts);
  const { notifications, mail } = settings;
  const [values, setValues] = useState(notifications);
  const save = useSaveNotifications();
  const change = (kind: keyof NotificationSettings) => (on: boolean) =>
    setValues((now) => ({ ...now, [kind]: on }));

  const submit = () => {
    const changes = changedValues(notifications, values);
    if (changes === null) return tellNoChanges();
    save.mutate(changes, {
      onSuccess: () => tellSaved("notificationsSavedText"),
      onError: (error) => tellFailed(error, "notificationsFailedText"),
    });
  };

  return (
    <SettingsCard
      title={t("notificationsTitle")}
      description={t("notificationsDescription")}
      saveLabel={t(save.isPending ? "saving" : "saveNotifications")}
      isPending={save.isPending}
      onSave={submit}
    >
      <ToggleRow
        label={t("emailNotices")}
        hint={t(mail ? "emailNoticesHint" : "emailNoticesOff")}
        checked={values.email}
        disabled={!mail && !values.email}
        onChange={change("email")}
      />
      <DesktopRow />
      <ToggleRow
        label={t("smsNotices")}
        hint={t("smsNoticesHint")}
        checked={values.sms}
        onChange={change("sms")}
      />
      <ToggleRow
        label={t("callNotices")}
        hint={t("callNoticesHint")}
        checked={values.calls}
        onChange={change("calls")}
      />
      <ToggleRow
        label={t("meetingNotices")}
        hint={t("meetingNoticesHint")}
        checked={values.meetings}
        onChange={change("meetings")}
      />
    </SettingsCard>
  );
}
