import type { NotificationSettings, Settings } from "@portal/contract/entities/settings";
import { useId, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { useSaveNotifications } from "../../notifications/queries.ts";
import {
  setDesktopNotifications,
  useDesktopNotifications,
} from "../../notifications/show-desktop-notifications.ts";
import { settingsMessages } from "./messages.ts";
import { PushRow } from "./push-row.tsx";
import { changedValues, showFailed, showNoChanges, showSaved } from "./queries.ts";
import { SettingsCard, ToggleRow } from "./settings-card.tsx";

const hints = {
  on: "desktopOn",
  off: "desktopOff",
  blocked: "desktopBlocked",
  absent: "desktopAbsent",
} as const;

/** Whether this browser shows notifications. The permission is requested and applied at once, as it belongs to this browser only. */
function DesktopRow() {
  const t = useMessages(settingsMessages);
  const state = useDesktopNotifications();
  const id = useId();
  // Browsers grant the permission to secure addresses only, and report others as blocked.
  const hint = state === "blocked" && !window.isSecureContext ? "desktopUnsafe" : hints[state];
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 rounded-md border bg-muted/40 p-3">
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
        <p className="font-medium text-sm">{t("desktop")}</p>
        <p id={id} role="status" className="text-[0.8125rem] text-muted-foreground">
          {t(hint)}
        </p>
      </div>
      {state === "on" || state === "off" ? (
        <Button
          variant="secondary"
          size="sm"
          aria-describedby={id}
          onClick={() => void setDesktopNotifications(state === "off")}
        >
          {t(state === "on" ? "desktopTurnOff" : "desktopTurnOn")}
        </Button>
      ) : null}
    </div>
  );
}

/** Which notifications the user wants. */
export function NotificationSection({ settings }: { settings: Settings }) {
  const t = useMessages(settingsMessages);
  const { notifications, mail } = settings;
  const [values, setValues] = useState(notifications);
  const save = useSaveNotifications();
  const change = (kind: keyof NotificationSettings) => (on: boolean) =>
    setValues((now) => ({ ...now, [kind]: on }));

  const submit = () => {
    const changes = changedValues(notifications, values);
    if (changes === null) return showNoChanges();
    save.mutate(changes, {
      onSuccess: () => showSaved("notificationsSavedText"),
      onError: (error) => showFailed(error, "notificationsFailedText"),
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
      <PushRow />
      <ToggleRow
        label={t("pushNames")}
        hint={t("pushNamesHint")}
        checked={values.pushNames}
        onChange={change("pushNames")}
      />
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
