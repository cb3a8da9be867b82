import { limits } from "@portal/contract/limits";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.ts";
import { codeOf, useChangePassword } from "../queries.ts";
import { accountTexts } from "../texts.ts";

const EMPTY = { currentPassword: "", newPassword: "", confirmPassword: "" };
type PasswordField = keyof typeof EMPTY;

/** What the change breaks (specification §5), or null. */
function brokenRule({ newPassword, confirmPassword }: typeof EMPTY) {
  if (newPassword !== confirmPassword) return "passwordsDiffer";
  if (newPassword.length < limits.passwordMinLength) return "passwordTooShort";
  return null;
}

/** The button appears once all three fields are filled; after a change they are empty again. */
export function PasswordForm() {
  const t = useTexts(accountTexts);
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
        {field("newPassword", "new-password", errorOf("password_too_common", "password_too_short"))}
        {field("confirmPassword", "new-password")}
      </div>
      {isComplete ? (
        <div className="grid sm:flex sm:justify-end">
          <Button type="submit" pending={change.isPending}>
            {t(change.isPending ? "changing" : "changePassword")}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
