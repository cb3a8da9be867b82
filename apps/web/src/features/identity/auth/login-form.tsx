import { type FormEvent, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.ts";
import { authMessages } from "./messages.ts";
import { useSignIn } from "./queries.ts";
import { PasswordInput } from "./sign-in-frame.tsx";

export function LoginForm() {
  const t = useMessages(authMessages);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useSignIn();
  // After success the page is about to be loaded anew: the form stays as it is until then.
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
    // Our own message replaces the browser's, which would not be seen in the chosen language.
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
