import { useQuery } from "@tanstack/react-query";
import { useMessages } from "../../../lib/i18n.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { adminMessages } from "../messages.ts";
import { peopleQuery } from "../queries.ts";

/** Value of a select for no filter, as an empty one is not allowed. */
export const anything = "all";

interface UserFieldProps {
  value: string | undefined;
  onChange: (user: string | undefined) => void;
}

/** Filters by user. */
export function UserField({ value, onChange }: UserFieldProps) {
  const t = useMessages(adminMessages);
  const people = useQuery(peopleQuery());
  const options = (people.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  // Disabled users have entries too.
  if (value && !options.some((option) => option.value === value)) options.push({ value, label: `#${value}` });
  return (
    <Field label={t("user")}>
      {(control) => (
        <Select
          {...control}
          value={value ?? anything}
          onValueChange={(user) => onChange(user === anything ? undefined : user)}
          options={[{ value: anything, label: t("all") }, ...options]}
        />
      )}
    </Field>
  );
}

interface DayFieldProps {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

/** Filters by a day in the organization's zone. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="date"
          max="9999-12-30"
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
      )}
    </Field>
  );
}
