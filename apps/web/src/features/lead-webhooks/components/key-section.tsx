import type { IntakeSourceState } from "@portal/contract/entities/lead-webhook";
import { KeyRound } from "lucide-react";
import { useId, useState } from "react";
import { formatDate, formatSoon } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { useCreateKey, useRemoveKey } from "../queries.ts";
import { sourceDialogTexts } from "../texts.ts";

/** A source's key: made, rotated, removed; a new one is shown until the dialog closes, and never again. */
export function KeySection({ state }: { state: IntakeSourceState }) {
  const t = useTexts(sourceDialogTexts);
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
