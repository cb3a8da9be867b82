import { limits } from "@portal/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState, useSyncExternalStore } from "react";
import { ApiError } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { defineMessages, setLanguage, useMessages } from "../../../lib/i18n.ts";
import { page, useDocumentTitle } from "../../../lib/navigation.ts";
import { readStored, STORAGE_KEYS } from "../../../lib/storage-keys.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { RequestId } from "../../../ui/request-id.tsx";
import { passwordLinkQuery, useChoosePassword } from "./queries.ts";
import { LanguageSwitch, PasswordInput, SignInFrame } from "./sign-in-frame.tsx";

const passwordLinkMessages = defineMessages("passwordLink", {
  heading: ["Choose your password", "Elige tu contraseña"],
  subtitle: ["For the account of {name}, {email}.", "Para la cuenta de {name}, {email}."],
  checking: ["Your link is being checked.", "Estamos comprobando tu enlace."],
  newPassword: ["New Password", "Contraseña nueva"],
  confirmPassword: ["Confirm New Password", "Confirmar contraseña nueva"],
  rule: ["At least {count} characters.", "Al menos {count} caracteres."],
  passwordsDiffer: ["New passwords don't match.", "Las contraseñas nuevas no coinciden."],
  passwordTooShort: [
    "Password must be at least 6 characters long.",
    "La contraseña debe tener al menos 6 caracteres.",
  ],
  save: ["Save Password", "Guardar contraseña"],
  saving: ["Saving...", "Guardando..."],
  doneTitle: ["Password Changed", "Contraseña cambiada"],
  doneText: ["Your password has been changed successfully.", "Tu contraseña se cambió correctamente."],
  doneHint: [
    "Sign in with it now. You were signed out everywhere else.",
    "Inicia sesión con ella. Se cerraron tus sesiones en los demás navegadores.",
  ],
  toSignIn: ["Go to Sign In", "Ir a iniciar sesión"],
  badTitle: ["This link does not work", "Este enlace no funciona"],
  badLink: [
    "This link has been used, is too old or is not whole. Ask your administrator for a new one.",
    "Este enlace ya se usó, venció o está incompleto. Pide uno nuevo a tu administrador.",
  ],
  failedTitle: ["Your link could not be checked", "No se pudo comprobar tu enlace"],
  retry: ["Try Again", "Reintentar"],
});

interface ChoosePasswordFormProps {
  token: string;
  /** For password managers. */
  email: string;
  onDone: () => void;
}

type Fault = "passwordTooShort" | "passwordsDiffer";

/** The form for a new password, entered twice. */
function ChoosePasswordForm({ token, email, onDone }: ChoosePasswordFormProps) {
  const t = useMessages(passwordLinkMessages);
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [fault, setFault] = useState<Fault | null>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const againInput = useRef<HTMLInputElement>(null);
  const choose = useChoosePassword();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (choose.isPending) return;
    const isShort = password.length < limits.passwordMinLength;
    const found: Fault | null = isShort ? "passwordTooShort" : password !== again ? "passwordsDiffer" : null;
    setFault(found);
    if (found) (isShort ? passwordInput : againInput).current?.focus();
    else choose.mutate({ token, newPassword: password }, { onSuccess: onDone });
  };

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <Field
        label={t("newPassword")}
        hint={t("rule", { count: limits.passwordMinLength })}
        error={fault === "passwordTooShort" ? t("passwordTooShort") : undefined}
      >
        {(control) => (
          <PasswordInput
            {...control}
            ref={passwordInput}
            required
            autoComplete="new-password"
            className="h-11"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={t("confirmPassword")}
        error={fault === "passwordsDiffer" ? t("passwordsDiffer") : undefined}
      >
        {(control) => (
          <PasswordInput
            {...control}
            ref={againInput}
            required
            autoComplete="new-password"
            className="h-11"
            value={again}
            onChange={(event) => setAgain(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={choose.isPending} className="w-full">
        {choose.isPending ? t("saving") : t("save")}
      </Button>
    </form>
  );
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** A first-time visitor gets the browser's language. */
function speakBrowsersLanguage(): void {
  if (readStored(STORAGE_KEYS.language) === null && navigator.language.startsWith("es")) setLanguage("es");
}

/** The page of a one-time link. The token is in the fragment, which browsers do not send. */
export function ChoosePasswordPage() {
  useState(speakBrowsersLanguage);
  const token = useSyncExternalStore(onHashChange, () => window.location.hash.slice(1));
  return <LinkPage key={token} token={token} />;
}

function LinkPage({ token }: { token: string }) {
  const t = useMessages(passwordLinkMessages);
  const [isDone, setDone] = useState(false);
  const link = useQuery({ ...passwordLinkQuery(token), enabled: token !== "" });
  useDocumentTitle(t(isDone ? "doneTitle" : "heading"));
  const languages = <LanguageSwitch />;

  if (isDone) {
    return (
      <SignInFrame heading={t("doneTitle")} subtitle={t("doneText")}>
        <p role="status" className="text-muted-foreground">
          {t("doneHint")}
        </p>
        <Button size="lg" autoFocus onClick={() => page.go("/")}>
          {t("toSignIn")}
        </Button>
        <RequestId error={link.error} />
      </SignInFrame>
    );
  }
  if (link.data) {
    return (
      <SignInFrame heading={t("heading")} subtitle={t("subtitle", link.data)}>
        <ChoosePasswordForm token={token} email={link.data.email} onDone={() => setDone(true)} />
        {languages}
      </SignInFrame>
    );
  }
  if (token !== "" && link.isPending) {
    return (
      <SignInFrame heading={t("heading")} subtitle={t("checking")}>
        <Skeleton className="h-48" />
      </SignInFrame>
    );
  }
  const code = link.error instanceof ApiError ? link.error.code : undefined;
  const isUsed = token === "" || code === "password_link_invalid";
  // Other errors (server not reachable, too many attempts) may be temporary.
  const isBad = isUsed || code === "passwords_off";
  return (
    <SignInFrame
      heading={t(isBad ? "badTitle" : "failedTitle")}
      subtitle={isUsed ? t("badLink") : errorText(link.error)}
    >
      <div className="grid gap-3">
        {isBad ? null : (
          <Button size="lg" pending={link.isFetching} onClick={() => void link.refetch()}>
            {t("retry")}
          </Button>
        )}
        <Button size="lg" variant="secondary" onClick={() => page.go("/")}>
          {t("toSignIn")}
        </Button>
      </div>
      {languages}
    </SignInFrame>
  );
}
