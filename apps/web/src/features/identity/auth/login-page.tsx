import { loginErrors } from "@portal/contract/routes/auth";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type MouseEvent, Suspense, useEffect, useRef, useState } from "react";
import { toUrl } from "../../../lib/api.ts";
import { useSkeletonRemoval } from "../../../lib/document.ts";
import { errorMessages } from "../../../lib/errors.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { useDocumentTitle } from "../../../lib/navigation.ts";
import { countAllItems } from "../../../lib/offline/queue-database.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.ts";
import { authMessages } from "./messages.ts";
import { hasPasskeys, signInOptionsQuery, useSignIn } from "./queries.ts";
import { LanguageSwitch, PasswordInput, SignInFrame } from "./sign-in-frame.tsx";

const PasskeyButton = lateComponent(async () => ({
  default: (await import("../second-factor/passkey-button.tsx")).PasskeyButton,
}));

interface ProviderLinkProps {
  name: string;
  /** Whether the password form is shown above. */
  isSecond: boolean;
}

/** The address to return to after the provider's sign-in, as with a password; empty for the first page. */
function pageToComeBackTo(): string {
  const { pathname, searchParams } = new URL(window.location.href);
  searchParams.delete("login_error");
  const address = toUrl(pathname, Object.fromEntries(searchParams));
  return address === "/" ? "" : address;
}

/** Without a network the browser would replace this page by its error page. */
function stayWithoutNetwork(event: MouseEvent): void {
  if (navigator.onLine) return;
  event.preventDefault();
  const description = messagesOf(errorMessages)("noNetwork");
  toast({ title: messagesOf(authMessages)("loginFailed"), description, tone: "destructive" });
}

/** A link to the external login provider; the server redirects there. */
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

/** Whether the user was redirected from Google's consent page after the session had ended. */
const cameFromGoogle = () => new URLSearchParams(window.location.search).get("google") === "signed-out";

/** Shown at every URL without a session. */
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
        {byPassword && hasPasskeys() ? (
          <Suspense fallback={<div className="h-11" />}>
            <PasskeyButton />
          </Suspense>
        ) : null}
        {provider ? <ProviderLink name={provider.name} isSecond={byPassword} /> : null}
        <p className="text-balance text-muted-foreground text-sm">{t("contactAdministrator")}</p>
        <LanguageSwitch />
      </div>
    </SignInFrame>
  );
}

/** Tells the user that queued changes are sent after signing in. */
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

/** Why signing in at the login provider failed. The parameter is removed from the address, so that a reload does not show it again. */
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

function LoginForm() {
  const t = useMessages(authMessages);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useSignIn();
  // After success the page is about to reload, so the form stays busy.
  const busy = signIn.isPending || signIn.isSuccess;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (email.trim() === "" || password === "") {
      toast({ title: t("errorTitle"), description: t("missingFields"), tone: "destructive" });
      (email.trim() === "" ? emailInput : passwordInput).current?.focus();
      return;
    }
    signIn.mutate({ email, password });
  };

  return (
    // Our own validation message appears in the chosen language, the browser's would not.
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label={t("email")}>
        {(control) => (
          <Input
            {...control}
            ref={emailInput}
            name="email"
            required
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            placeholder={t("emailPlaceholder")}
            className="h-11"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field label={t("password")}>
        {(control) => (
          <PasswordInput
            {...control}
            ref={passwordInput}
            name="password"
            required
            autoComplete="current-password"
            className="h-11"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={busy} className="w-full">
        {busy ? t("signingIn") : t("signIn")}
      </Button>
    </form>
  );
}
