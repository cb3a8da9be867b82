import { type FormEvent, useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { useUpdateSource } from "../queries.ts";
import { sourceDialogTexts } from "../texts.ts";

const idLength = 18;

/** The Salesforce organisation whose outbound messages are taken. */
export function OrganizationForm({ organizationId }: { organizationId: string | null }) {
  const t = useTexts(sourceDialogTexts);
  const [id, setId] = useState(organizationId ?? "");
  const update = useUpdateSource("salesforce");
  const typed = id.trim();
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!update.isPending) update.mutate({ organizationId: typed || null });
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-3 border-t pt-5">
      <Field
        label={t("organizationId")}
        hint={t("organizationIdHint")}
        error={update.error ? errorText(update.error) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            maxLength={idLength}
            className="max-w-xs font-mono"
            value={id}
            onChange={(event) => setId(event.target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        variant="secondary"
        className="justify-self-start"
        disabled={typed === (organizationId ?? "")}
        pending={update.isPending}
      >
        {t("save")}
      </Button>
    </form>
  );
}
