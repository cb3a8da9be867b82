import { useQuery } from "@tanstack/react-query";
import { errorText } from "../../lib/errors.ts";
import { useTexts } from "../../lib/i18n.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { settingsQuery } from "../../lib/settings-query.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { RowsFailed } from "../../ui/rows-failed.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CallSection } from "./components/call-section.tsx";
import { InterfaceSection } from "./components/interface-section.tsx";
import { NotificationSection } from "./components/notification-section.tsx";
import { PhoneSection } from "./components/phone-section.tsx";
import { ProfileSection } from "./components/profile-section.tsx";
import { SecuritySection } from "./components/security-section.tsx";
import { settingsTexts } from "./texts.ts";

export function SettingsPage() {
  const t = useTexts(settingsTexts);
  const { data: user } = useQuery(currentUserQuery());
  const { data: settings, error, refetch } = useQuery(settingsQuery());
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader title={t("title")} subtitle={t("subtitle")} />
      {user ? (
        <>
          <ProfileSection user={user} />
          <PhoneSection user={user} />
          {settings ? (
            <>
              <NotificationSection settings={settings} />
              <CallSection calls={settings.calls} />
            </>
          ) : null}
          {!settings && !error ? <Skeleton className="h-96 rounded-xl" /> : null}
          <InterfaceSection />
          <SecuritySection />
          {!settings && error ? (
            <RowsFailed message={errorText(error)} retryLabel={t("retry")} onRetry={() => void refetch()} />
          ) : null}
        </>
      ) : null}
    </div>
  );
}
