import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../lib/i18n.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { CallSection } from "./components/call-section.tsx";
import { InterfaceSection } from "./components/interface-section.tsx";
import { PhoneSection } from "./components/phone-section.tsx";
import { settingsTexts } from "./texts.ts";

export function SettingsPage() {
  const t = useTexts(settingsTexts);
  const { data: user } = useQuery(currentUserQuery());
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader title={t("title")} subtitle={t("subtitle")} />
      {user ? (
        <>
          <PhoneSection user={user} />
          <CallSection user={user} />
          <InterfaceSection />
        </>
      ) : null}
    </div>
  );
}
