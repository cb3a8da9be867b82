import { useId } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { PasswordSection } from "../../account/components/password-section.tsx";
import { settingsTexts } from "../texts.ts";
import { LoginLink } from "./login-link.tsx";
import { SessionList } from "./session-list.tsx";

/** Password and sessions (specification §2, Settings). */
export function SecuritySection() {
  const t = useTexts(settingsTexts);
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
        <SessionList />
      </CardContent>
    </Card>
  );
}
