import { loginErrors } from "@portal/contract/routes/auth";
import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, useEffect, useState } from "react";
import { toUrl } from "../../../lib/api.ts";
import { errorMessages } from "../../../lib/error-messages.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { useDocumentTitle } from "../../../lib/navigation.ts";
import { countAllItems } from "../../../lib/offline/queue-database.ts";
import { useSkeletonRemoval } from "../../../lib/server-page.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.ts";
import { LoginForm } from "./login-form.tsx";
import { authMessages } from "./messages.ts";
import { signInOptionsQuery } from "./queries.ts";
import { LanguageSwitch, SignInFrame } from "./sign-in-frame.tsx";

interface ProviderLinkProps {
  name: string;
  /** Whether the form for a password stands above. */
  isSecond: boolean;
}

/** As a sign-in by password, which stays at its address; the first page needs no mention. */
function pageToComeBackTo(): string {
  const { pathname, searchParams } = new URL(window.location.href);
  searchParams.delete("login_error");
  const address = toUrl(pathname, Object.fromEntries(searchParams));
  return address === "/" ? "" : address;
}

/** The browser's own page would take the place of this one. */
function stayWithoutNetwork(event: MouseEvent): void {
  if (navigator.onLine) return;
  event.preventDefault();
  const description = messagesOf(errorMessages)("noNetwork");
  toast({ title: messagesOf(authMessages)("loginFailed"), description, tone: "destructive" });
}

/** Leads to the external login provider: a navigation, which the server answers with a redirect there. */
function ProviderLink({ name, isSecond }: ProviderLinkProps) {
  const t = useMessages(authMessages);
  return (
    <>
      {isSecond ? (
        <p className="flex items-center gap-3 text-muted-foreground text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
          {t("or")}
        </p>
      ) : null}
      <Button
        asChild
        size="lg"
        variant={isSecond ? "secondary" : "primary"}
        className="h-auto min-h-11 w-full whitespace-normal py-2"
      >
        <a href={toUrl("/api/login", { from: pageToComeBackTo() })} onClick={stayWithoutNetwork}>
          {t("signInWith", { name })}
        </a>
      </Button>
    </>
  );
}

/** Whether a consent at Google led back here because the session had ended meanwhile. */
const cameFromGoogle = () => new URLSearchParams(window.location.search).get("google") === "signed-out";

/** What anybody sees who is not signed in, under any address. */
export function LoginPage() {
  const t = useMessages(authMessages);
  useDocumentTitle(t("documentTitle"));
  useSkeletonRemoval();
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
      <UnsentChanges />
      <LoginError provider={provider?.name} />
      <div className="grid gap-5">
        {byPassword ? <LoginForm /> : null}
        {provider ? <ProviderLink name={provider.name} isSecond={byPassword} /> : null}
        <p className="text-balance text-muted-foreground text-sm">{t("contactAdministrator")}</p>
        <LanguageSwitch />
      </div>
    </SignInFrame>
  );
}

/** A session that ended while something waited: whoever stands here learns that signing in sends it. */
function UnsentChanges() {
  const t = useMessages(authMessages);
  const [count, setCount] = useState(0);
  useEffect(() => void countAllItems().then(setCount), []);
  if (count === 0) return null;
  return (
    <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
      {t("unsent", { count })}
    </p>
  );
}

function errorOfAddress() {
  const code = new URLSearchParams(window.location.search).get("login_error");
  return loginErrors.find((known) => known === code) ?? null;
}

/** Why the login provider brought nobody back; the address forgets it, so that a reload does not show it again. */
function LoginError({ provider }: { provider: string | undefined }) {
  const t = useMessages(authMessages);
  const [code] = useState(errorOfAddress);
  useEffect(() => {
    if (code) window.history.replaceState(window.history.state, "", window.location.pathname);
  }, [code]);
  if (!code) return null;
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger-text text-sm">
      {t(code, { name: provider ?? t("loginProvider") })}
    </p>
  );
}
