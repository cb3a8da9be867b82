import { type FormEvent, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { useUpdateSource } from "../queries.ts";
import { sourceDialogTexts } from "../texts.ts";

const minLength = 8;
const maxLength = 200;

/** HubSpot's client secret, by which its signatures are checked; written, never read. */
export function ClientSecretForm({ isSet }: { isSet: boolean }) {
  const t = useTexts(sourceDialogTexts);
  const [secret, setSecret] = useState("");
  const update = useUpdateSource("hubspot");
  const typed = secret.trim();
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (typed.length < minLength || update.isPending) return;
    update.mutate({ clientSecret: typed }, { onSuccess: () => setSecret("") });
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-3 border-t pt-5">
      <Field
        label={t("clientSecret")}
        hint={isSet ? `${t("clientSecretSet")} ${t("clientSecretHint")}` : t("clientSecretHint")}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="off"
            maxLength={maxLength}
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="secondary"
          disabled={typed.length < minLength}
          pending={update.isPending}
        >
          {t("save")}
        </Button>
        {isSet ? (
          <Button
            variant="ghost"
            disabled={update.isPending}
            onClick={() => update.mutate({ clientSecret: null })}
          >
            {t("remove")}
          </Button>
        ) : null}
      </div>
    </form>
  );
}
