import { limits } from "@portal/contract/limits";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";

interface NameEmailFieldsProps {
  labels: { name: string; email: string };
  values: { name: string; email: string };
  /** What is wrong with the address. */
  emailError: string | undefined;
  onChange: (change: { name?: string; email?: string }) => void;
}

/** One's own name and e-mail address. */
export function NameEmailFields({ labels, values, emailError, onChange }: NameEmailFieldsProps) {
  return (
    <>
      <Field label={labels.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            maxLength={limits.nameMaxLength}
            value={values.name}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <Field label={labels.email} error={emailError}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="email"
            maxLength={limits.emailMaxLength}
            value={values.email}
            onChange={({ target }) => onChange({ email: target.value })}
          />
        )}
      </Field>
    </>
  );
}
