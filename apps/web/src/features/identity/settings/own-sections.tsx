import type { Availability } from "@portal/contract/entities/availability";
import type { NotificationSettings, Settings } from "@portal/contract/entities/settings";
import type { CurrentUser } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import { getPhoneNumbers } from "@portal/contract/routes/calls";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { formatPhone } from "../../../lib/format.ts";
import { type Language, useLanguage, useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { type Theme, useTheme } from "../../../lib/theme.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import type { SelectOption } from "../../../ui/select-trigger.ts";
import { toast } from "../../../ui/toast.ts";
import {
  AvailabilityFields,
  draftChanges,
  draftFault,
  draftOf,
} from "../../availability/availability-fields.tsx";
import { availabilityMessages } from "../../availability/messages.ts";
import { availabilityQuery, useUpdateAvailability } from "../../availability/queries.ts";
import { useSaveNotifications } from "../../notifications/queries.ts";
import {
  setDesktopNotifications,
  useDesktopNotifications,
} from "../../notifications/show-desktop-notifications.ts";
import { settingsMessages } from "./messages.ts";
import { PushRow } from "./push-row.tsx";
import {
  changedValues,
  showFailed,
  showNoChanges,
  showSaved,
  useSaveInterface,
  useSavePhone,
} from "./queries.ts";
import { SettingsCard, ToggleRow } from "./settings-card.tsx";

/** Theme and language, applied when saved. */
export function InterfaceSection() {
  const t = useMessages(settingsMessages);
  const titleId = useId();
  const [theme, setTheme] = useState<Theme>(useTheme());
  const [language, setLanguage] = useState<Language>(useLanguage());
  const save = useSaveInterface();

  const themes: SelectOption<Theme>[] = [
    { value: "light", label: t("themeLight") },
    { value: "dark", label: t("themeDark") },
    { value: "auto", label: t("themeAuto") },
  ];
  const languages: SelectOption<Language>[] = [
    { value: "en", label: t("languageEn") },
    { value: "es", label: t("languageEs") },
  ];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate({ theme, language });
  };

  return (
    <Card aria-labelledby={titleId}>
      <form onSubmit={submit}>
        <CardHeader>
          <CardTitle id={titleId}>{t("interfaceTitle")}</CardTitle>
          <CardDescription>{t("interfaceDescription")}</CardDescription>
        </CardHeader>
        <CardContent className="grid gap-4 sm:grid-cols-2">
          <Field label={t("theme")}>
            {(control) => <Select {...control} value={theme} onValueChange={setTheme} options={themes} />}
          </Field>
          <Field label={t("language")}>
            {(control) => (
              <Select {...control} value={language} onValueChange={setLanguage} options={languages} />
            )}
          </Field>
        </CardContent>
        <CardFooter>
          <Button type="submit" variant="secondary" pending={save.isPending}>
            {t(save.isPending ? "saving" : "saveInterface")}
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}

const PLACEHOLDER = "(787) 555-0123";

/** The user's own phone, which is rung first. Saving is disabled while it is empty or pending. */
export function PhoneSection({ user }: { user: CurrentUser }) {
  const t = useMessages(settingsMessages);
  const titleId = useId();
  const [phone, setPhone] = useState(user.personalPhoneNumber ?? "");
  const save = useSavePhone();
  const isEmpty = phone.trim() === "";
  const { data: numbers } = useQuery({ ...routeQuery(getPhoneNumbers), enabled: !user.personalPhoneNumber });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty && !save.isPending) save.mutate(phone.trim());
  };

  return (
    <Card aria-labelledby={titleId}>
      <form noValidate onSubmit={submit}>
        <CardHeader>
          <CardTitle id={titleId}>{t("phoneTitle")}</CardTitle>
          <CardDescription>{t("phoneDescription")}</CardDescription>
        </CardHeader>
        <CardContent>
          <Field label={t("phone")} hint={t("phoneHint")} className="max-w-sm">
            {(control) => (
              <Input
                {...control}
                type="tel"
                autoComplete="tel"
                maxLength={limits.phoneMaxLength}
                placeholder={PLACEHOLDER}
                value={phone}
                onChange={(event) => setPhone(event.target.value)}
              />
            )}
          </Field>
          {numbers && !user.personalPhoneNumber ? (
            <p className="mt-3 text-muted-foreground text-sm">
              {numbers.officeLine
                ? t("phoneOffice", { phone: formatPhone(numbers.officeLine) })
                : t("phoneNone")}
            </p>
          ) : null}
        </CardContent>
        <CardFooter>
          <Button type="submit" variant="secondary" disabled={isEmpty} pending={save.isPending}>
            {t(save.isPending ? "saving" : "savePhone")}
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}

/** The user's working hours and stand-in. */
export function AvailabilitySection({ userId }: { userId: number }) {
  const { data } = useQuery(availabilityQuery());
  return data ? <HoursCard userId={userId} saved={data} /> : null;
}

function HoursCard({ userId, saved }: { userId: number; saved: Availability }) {
  const t = useMessages(availabilityMessages);
  const [draft, setDraft] = useState(draftOf(saved));
  const { mutate, isPending } = useUpdateAvailability();
  const save = () => {
    const changes = draftChanges(draftOf(saved), draft);
    if (changes === null) showNoChanges();
    else mutate(changes, { onSuccess: () => toast({ title: t("saved"), tone: "success" }) });
  };
  return (
    <SettingsCard
      title={t("sectionTitle")}
      description={t("sectionText")}
      saveLabel={t(isPending ? "saving" : "save")}
      isPending={isPending}
      isDisabled={draftFault(draft) !== null}
      onSave={save}
    >
      <AvailabilityFields draft={draft} userId={userId} onChange={setDraft} />
    </SettingsCard>
  );
}

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
