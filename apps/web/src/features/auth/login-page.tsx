import { useDocumentTitle } from "../../lib/document-title.ts";
import { useTexts } from "../../lib/i18n.ts";
import { Logo } from "../../ui/logo.tsx";
import { BrandPanel } from "./components/brand-panel.tsx";
import { LoginForm } from "./components/login-form.tsx";
import { authTexts } from "./texts.ts";

/** Whether a consent at Google led back here because the session had ended meanwhile. */
const cameFromGoogle = () => new URLSearchParams(window.location.search).get("google") === "signed-out";

/** What anybody sees who is not signed in, under any address (specification §2, Login screen). */
export function LoginPage() {
  const t = useTexts(authTexts);
  useDocumentTitle(t("documentTitle"));
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)]">
      <main className="flex flex-col px-6 py-6 sm:px-10">
        <Logo />
        <div className="mx-auto grid w-full max-w-sm flex-1 content-center gap-8 py-10">
          <div className="grid gap-2">
            <h1 className="font-semibold text-[1.75rem] leading-9">{t("heading")}</h1>
            <p className="text-balance text-muted-foreground">{t("subtitle")}</p>
          </div>
          {cameFromGoogle() ? (
            <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
              {t("googleSignedOut")}
            </p>
          ) : null}
          <LoginForm />
        </div>
      </main>
      <BrandPanel />
    </div>
  );
}
