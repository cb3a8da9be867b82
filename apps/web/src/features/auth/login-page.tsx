import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDocumentTitle } from "../../lib/document-title.ts";
import { useFirstPaintEnd } from "../../lib/first-paint.ts";
import { useTexts } from "../../lib/i18n.ts";
import { LanguageSwitch } from "./components/language-switch.tsx";
import { LoginError } from "./components/login-error.tsx";
import { LoginForm } from "./components/login-form.tsx";
import { ProviderLink } from "./components/provider-link.tsx";
import { SignInFrame } from "./components/sign-in-frame.tsx";
import { signInOptionsQuery } from "./queries.ts";
import { authTexts } from "./texts.ts";

/** Whether a consent at Google led back here because the session had ended meanwhile. */
const cameFromGoogle = () => new URLSearchParams(window.location.search).get("google") === "signed-out";

/** What anybody sees who is not signed in, under any address (specification §2, Login screen). */
export function LoginPage() {
  const t = useTexts(authTexts);
  useDocumentTitle(t("documentTitle"));
  useFirstPaintEnd();
  const [keepLanguage, setKeepLanguage] = useState(false);
  const { data: options } = useQuery(signInOptionsQuery());
  const byPassword = options?.password !== false;
  const provider = options?.provider;
  return (
    <SignInFrame heading={t("heading")} subtitle={t("subtitle")}>
      {cameFromGoogle() ? (
        <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
          {t("googleSignedOut")}
        </p>
      ) : null}
      <LoginError provider={provider?.name} />
      <div className="grid gap-5">
        {byPassword ? <LoginForm keepLanguage={keepLanguage} /> : null}
        {provider ? <ProviderLink name={provider.name} isSecond={byPassword} /> : null}
        <p className="text-balance text-muted-foreground text-sm">{t("contactAdministrator")}</p>
        <LanguageSwitch onPick={() => setKeepLanguage(true)} />
      </div>
    </SignInFrame>
  );
}
