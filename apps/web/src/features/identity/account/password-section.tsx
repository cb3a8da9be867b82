import { limits } from "@portal/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { type FormEvent, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { errorText } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { settingsQuery } from "../../../lib/shared-queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.ts";
import { accountMessages } from "./messages.ts";
import { codeOf, useChangePassword } from "./queries.ts";

const EMPTY = { currentPassword: "", newPassword: "", confirmPassword: "" };
type PasswordField = keyof typeof EMPTY;

/** The rule that the new password breaks, or null. */
function brokenRule({ newPassword, confirmPassword }: typeof EMPTY) {
  if (newPassword !== confirmPassword) return "passwordsDiffer";
  if (newPassword.length < limits.passwordMinLength) return "passwordTooShort";
  return null;
}

/** The password form. The button appears once all three fields are filled; they are cleared after a change. */
function PasswordForm() {
  const t = useMessages(accountMessages);
  const [values, setValues] = useState(EMPTY);
  const change = useChangePassword();
  const isComplete = Object.values(values).every((value) => value !== "");
  const code = codeOf(change.error);
  const errorOf = (...codes: string[]) =>
    code !== undefined && codes.includes(code) ? errorText(change.error) : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || change.isPending) return;
    const broken = brokenRule(values);
    if (broken) {
      toast({ title: t("errorTitle"), description: t(broken), tone: "destructive" });
      return;
    }
    const { currentPassword, newPassword } = values;
    change.mutate({ currentPassword, newPassword }, { onSuccess: () => setValues(EMPTY) });
  };

  const field = (name: PasswordField, autoComplete: string, error?: string) => (
    <Field label={t(name)} error={error}>
      {(control) => (
        <Input
          {...control}
          type="password"
          autoComplete={autoComplete}
          maxLength={limits.passwordMaxLength}
          value={values[name]}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      )}
    </Field>
  );

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {field("currentPassword", "current-password", errorOf("too_many_attempts"))}
      <div className="grid gap-4 sm:grid-cols-2">
        {field(
          "newPassword",
          "new-password",
          errorOf("password_too_common", "password_guessable", "password_too_short"),
        )}
        {field("confirmPassword", "new-password")}
      </div>
      {isComplete ? (
        <div className="grid sm:flex sm:justify-end">
          <Button type="submit" variant="secondary" pending={change.isPending}>
            {t(change.isPending ? "changing" : "changePassword")}
          </Button>
        </div>
      ) : null}
    </form>
  );
}

/** Where the password is changed: here, or at the external login provider. */
export function PasswordSection({ className }: { className?: string }) {
  const t = useMessages(accountMessages);
  const { data: settings } = useQuery(settingsQuery());
  const { password: isHere, provider } = settings?.signIn ?? { password: true, provider: null };
  return (
    <section className={cn("grid gap-4", className)}>
      <h3 className="font-semibold">{t("password")}</h3>
      {isHere ? <PasswordForm /> : null}
      {!isHere ? (
        <p className="text-muted-foreground text-sm">
          {provider ? t("passwordElsewhere", { name: provider.name }) : t("passwordMissing")}
        </p>
      ) : null}
      {!isHere && provider?.passwordPage ? (
        <Button asChild variant="secondary" className="justify-self-start">
          <a href={provider.passwordPage} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden />
            {t("passwordPage", { name: provider.name })}
          </a>
        </Button>
      ) : null}
    </section>
  );
}
