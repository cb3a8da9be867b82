import type { WebhookSourceState } from "@portal/contract/entities/lead-webhook";
import { KeyRound } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { formatDate, formatSoon } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { sourceDialogMessages } from "../messages.ts";
import { useCreateKey, useRemoveKey, useUpdateSource } from "../queries.ts";

/** The address of a source, how senders authenticate, and the keys for that. */
export function SetupPanel({ state, isAdmin }: { state: WebhookSourceState; isAdmin: boolean }) {
  const t = useMessages(sourceDialogMessages);
  const { source, address } = state;
  return (
    <>
      <CopyField label={t("address")} value={address} hint={t("addressHint")} />
      <p className="text-sm">{t(`how_${source}`)}</p>
      {isAdmin ? (
        <>
          <KeySection state={state} />
          {source === "hubspot" ? <ClientSecretForm isSet={state.hasClientSecret} /> : null}
          {source === "salesforce" ? (
            <OrganizationForm key={state.organizationId} organizationId={state.organizationId} />
          ) : null}
        </>
      ) : (
        <p className="text-muted-foreground text-sm">{t("adminOnly")}</p>
      )}
    </>
  );
}

const minLength = 8;
const maxLength = 200;

/** HubSpot's client secret, for checking signatures; it can be set but not read. */
function ClientSecretForm({ isSet }: { isSet: boolean }) {
  const t = useMessages(sourceDialogMessages);
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

const idLength = 18;

/** The Salesforce organization whose outbound messages are accepted. */
function OrganizationForm({ organizationId }: { organizationId: string | null }) {
  const t = useMessages(sourceDialogMessages);
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

/** A source's key: create, rotate or remove. A new key is shown until the dialog closes, and never again. */
function KeySection({ state }: { state: WebhookSourceState }) {
  const t = useMessages(sourceDialogMessages);
  const titleId = useId();
  const [asksToRemove, setAsking] = useState(false);
  const create = useCreateKey(state.source);
  const remove = useRemoveKey(state.source);
  const { key } = state;
  const made = create.data?.key;
  return (
    <section aria-labelledby={titleId} className="grid gap-3 border-t pt-5">
      <h3 id={titleId} className="flex items-center gap-2 font-semibold text-sm">
        <KeyRound aria-hidden className="size-4" />
        {t("key")}
      </h3>
      <p className="text-muted-foreground text-sm">
        {key ? t("keySet", { hint: key.hint, date: formatDate(key.createdAt) }) : t("noKey")}{" "}
        {key?.createdBy ? t("keyBy", { name: key.createdBy }) : null}{" "}
        {key?.previousUntil ? t("keyPrevious", { when: formatSoon(key.previousUntil) }) : null}
      </p>
      {made && key && made.endsWith(key.hint) ? (
        <CopyField label={t("newKey")} value={made} hint={t("newKeyHint")} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={key ? "secondary" : "primary"}
          pending={create.isPending}
          onClick={() => create.mutate()}
        >
          {t(key ? "rotateKey" : "createKey")}
        </Button>
        {key ? (
          <Button variant="ghost" pending={remove.isPending} onClick={() => setAsking(true)}>
            {t("removeKey")}
          </Button>
        ) : null}
      </div>
      <AlertDialog
        open={asksToRemove}
        onOpenChange={setAsking}
        title={t("removeTitle")}
        description={t("removeText")}
        cancelLabel={t("cancel")}
        confirmLabel={t("removeKey")}
        destructive
        onConfirm={() => {
          setAsking(false);
          remove.mutate();
        }}
      />
    </section>
  );
}
