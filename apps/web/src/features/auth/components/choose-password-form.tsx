import { limits } from "@portal/contract/limits";
import { type FormEvent, useRef, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { passwordLinkTexts } from "../password-link-texts.ts";
import { useChoosePassword } from "../queries.ts";
import { PasswordInput } from "./password-input.tsx";

interface ChoosePasswordFormProps {
  token: string;
  /** For the browser's keeper of passwords. */
  email: string;
  onDone: () => void;
}

type Fault = "passwordTooShort" | "passwordsDiffer";

/** A new password, twice, by the recorded rules (specification §5). */
export function ChoosePasswordForm({ token, email, onDone }: ChoosePasswordFormProps) {
  const t = useTexts(passwordLinkTexts);
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
