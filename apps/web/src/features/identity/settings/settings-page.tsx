import type { CallSettings } from "@portal/contract/entities/settings";
import type { CurrentUser } from "@portal/contract/entities/user";
import { useQuery } from "@tanstack/react-query";
import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { errorText } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { keyDialog } from "../../../lib/keys.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { settingsQuery } from "../../../lib/shared-queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { RowsFailed, Skeleton } from "../../../ui/list-states.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { ProductVersion } from "../../../ui/product-version.tsx";
import { availabilityMessages } from "../../availability/messages.ts";
import { PasswordSection } from "../account/password-section.tsx";
import { NameEmailFields } from "../account/profile-form.tsx";
import { codeOf, profileChanges, useUpdateProfile } from "../account/queries.ts";
import { SecondFactorSection } from "../second-factor/second-factor-section.tsx";
import { LoginLink } from "./login-link.tsx";
import { settingsMessages } from "./messages.ts";
import { OrganisationSection } from "./organisation-section.tsx";
import { AvailabilitySection, InterfaceSection, NotificationSection, PhoneSection } from "./own-sections.tsx";
import { changedValues, showNoChanges, useSaveCallSettings, useSaveKeys } from "./queries.ts";
import { retryMessages } from "./retry-messages.ts";
import { RetrySection } from "./retry-section.tsx";
import { SessionList, SignInList } from "./session-list.tsx";
import { SettingsCard, ToggleRow } from "./settings-card.tsx";

const TemplatesDialog = lateComponent(() => import("../../sms/templates/templates-dialog.tsx"));
const VoicemailMessagesDialog = lateComponent(
  () => import("../../telephony/voicemail-messages/voicemail-messages-dialog.tsx"),
);

const toggles = ["callRecording", "voicemailTranscription", "autoDial", "pressOne"] as const;

/** Settings of calls and recordings. */
function CallSection({ calls }: { calls: CallSettings }) {
  const t = useMessages(settingsMessages);
  const [values, setValues] = useState(calls);
  const save = useSaveCallSettings();

  const submit = () => {
    const changes = changedValues(calls, values);
    if (changes === null) showNoChanges();
    else save.mutate(changes);
  };

  return (
    <SettingsCard
      title={t("callTitle")}
      description={t("callDescription")}
      saveLabel={t(save.isPending ? "saving" : "saveCalls")}
      isPending={save.isPending}
      onSave={submit}
    >
      {toggles.map((toggle) => (
        <ToggleRow
          key={toggle}
          label={t(toggle)}
          hint={t(`${toggle}Hint`)}
          checked={values[toggle]}
          onChange={(on) => setValues((now) => ({ ...now, [toggle]: on }))}
        />
      ))}
    </SettingsCard>
  );
}

interface Section {
  /** Its anchor, as in `/settings#security`. */
  id: string;
  title: string;
  content: ReactNode;
}

/** Links to the sections of the page, beside them on wide screens. */
function SectionNav({ sections }: { sections: Section[] }) {
  const t = useMessages(settingsMessages);
  return (
    <nav aria-label={t("sections")} className="sticky top-28 hidden w-52 self-start xl:block">
      <ul className="grid">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block rounded-md px-3 py-1.5 text-muted-foreground text-sm hover:bg-muted hover:text-foreground"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Events by which a user leaves the section. */
const ownMoves = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Keeps the section that the address names in place while the sections above it load and grow, until the user scrolls or presses something,
 * because not every browser does so on its own (Safari).
 */
function useNamedSection(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const page = list.current;
    if (!page) return;
    const show = () => document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
    const growth = new ResizeObserver(show);
    growth.observe(page);
    const stop = () => growth.disconnect();
    for (const move of ownMoves) window.addEventListener(move, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const move of ownMoves) window.removeEventListener(move, stop);
    };
  }, [list]);
}

export function SettingsPage() {
  const t = useMessages(settingsMessages);
  const list = useRef<HTMLDivElement>(null);
  useNamedSection(list);
  const hours = useMessages(availabilityMessages);
  const retry = useMessages(retryMessages);
  const { data: user } = useQuery(currentUserQuery());
  const { data: settings, error, refetch } = useQuery(settingsQuery());
  const loading = error ? null : <Skeleton className="h-96 rounded-xl" />;
  const sections: Section[] = user
    ? [
        { id: "profile", title: t("profileTitle"), content: <ProfileSection user={user} /> },
        { id: "phone", title: t("phoneTitle"), content: <PhoneSection user={user} /> },
        { id: "hours", title: hours("sectionTitle"), content: <AvailabilitySection userId={user.id} /> },
        {
          id: "notifications",
          title: t("notificationsTitle"),
          content: settings ? <NotificationSection settings={settings} /> : loading,
        },
        { id: "calls", title: t("callTitle"), content: settings && <CallSection calls={settings.calls} /> },
        ...(user.role === "admin"
          ? [
              { id: "organization", title: t("organisationTitle"), content: <OrganisationSection /> },
              { id: "retry-rules", title: retry("title"), content: <RetrySection /> },
            ]
          : []),
        {
          id: "templates",
          title: t("templatesTitle"),
          content: (
            <DialogSection
              title={t("templatesTitle")}
              description={t("templatesDescription")}
              openLabel={t("templatesOpen")}
              dialog={TemplatesDialog}
            />
          ),
        },
        {
          id: "voicemail-messages",
          title: t("voicemailMessagesTitle"),
          content: (
            <DialogSection
              title={t("voicemailMessagesTitle")}
              description={t("voicemailMessagesDescription")}
              openLabel={t("voicemailMessagesOpen")}
              dialog={VoicemailMessagesDialog}
            />
          ),
        },
        { id: "interface", title: t("interfaceTitle"), content: <InterfaceSection /> },
        { id: "keys", title: t("keysTitle"), content: <KeysSection isOn={user.singleKeys} /> },
        { id: "security", title: t("securityTitle"), content: <SecuritySection /> },
      ]
    : [];
  return (
    <div className="grid gap-6">
      <PageHeader title={t("title")} subtitle={t("subtitle")} />
      <div className="flex gap-8">
        <div ref={list} className="grid min-w-0 max-w-3xl flex-1 gap-6">
          {sections.map(({ id, content }) => (
            <div key={id} id={id} className="empty:hidden">
              {content}
            </div>
          ))}
          {user && !settings && error ? (
            <RowsFailed message={errorText(error)} error={error} onRetry={() => void refetch()} />
          ) : null}
          {user ? <ProductVersion /> : null}
        </div>
        <SectionNav sections={sections} />
      </div>
    </div>
  );
}

interface DialogSectionProps {
  title: string;
  description: string;
  openLabel: string;
  dialog: ComponentType<{ onClose: () => void; returnFocusTo: RefObject<HTMLElement | null> }>;
}

/** A section with a button that opens its dialog. */
function DialogSection({ title, description, openLabel, dialog: SectionDialog }: DialogSectionProps) {
  const titleId = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader>
        <CardTitle id={titleId}>{title}</CardTitle>
        <CardDescription>{description}</CardDescription>
      </CardHeader>
      <CardContent>
        <Button
          ref={button}
          variant="secondary"
          aria-haspopup="dialog"
          onClick={() => openDialog((close) => <SectionDialog onClose={close} returnFocusTo={button} />)}
        >
          {openLabel}
        </Button>
      </CardContent>
    </Card>
  );
}

/** Password and sessions. */
function SecuritySection() {
  const t = useMessages(settingsMessages);
  const titleId = useId();
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader>
        <CardTitle id={titleId}>{t("securityTitle")}</CardTitle>
        <CardDescription>{t("securityDescription")}</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-5">
        <PasswordSection />
        <LoginLink />
        <SecondFactorSection />
        <SessionList />
        <SignInList />
      </CardContent>
    </Card>
  );
}

/** Name and email. */
function ProfileSection({ user }: { user: CurrentUser }) {
  const t = useMessages(settingsMessages);
  const [values, setValues] = useState({ name: user.name, email: user.email });
  const update = useUpdateProfile();
  const code = codeOf(update.error);

  const save = () => {
    const changes = profileChanges(user, values);
    if (changes === null) showNoChanges();
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

/** Whether single keys work, and a link to the help on shortcuts. */
function KeysSection({ isOn }: { isOn: boolean }) {
  const t = useMessages(settingsMessages);
  const [on, setOn] = useState(isOn);
  const save = useSaveKeys();
  return (
    <SettingsCard
      title={t("keysTitle")}
      description={t("keysDescription")}
      saveLabel={t(save.isPending ? "saving" : "saveKeys")}
      isPending={save.isPending}
      onSave={() => (on === isOn ? showNoChanges() : save.mutate(on))}
    >
      <ToggleRow label={t("singleKeys")} hint={t("singleKeysHint")} checked={on} onChange={setOn} />
      <Button
        variant="link"
        size="inline"
        className="justify-self-start"
        aria-haspopup="dialog"
        onClick={() => keyDialog.set("help")}
      >
        {t("showKeys")}
      </Button>
    </SettingsCard>
  );
}
