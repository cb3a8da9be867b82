import { limits } from "@portal/contract/limits";
import type { TeamMember } from "@portal/contract/routes/team";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { ProgressBar } from "../../../ui/progress-bar.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { teamDialogTexts } from "../dialog-texts.ts";
import { useCloseAccount } from "../queries.ts";
import { useTransfer } from "../use-transfer.ts";
import { TakersField } from "./takers-field.tsx";

/** As the contract has it. */
const maxTakers = 50;

interface TransferDialogProps {
  member: TeamMember;
  team: readonly TeamMember[];
  /** The account is closed first; its leads may then stay where they are. */
  closes: boolean;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Gives a person's leads to others, and closes the account before where that is asked for. What was typed stays when it fails. */
export function TransferDialog({ member, team, closes, onClose, returnFocusTo }: TransferDialogProps) {
  const t = useTexts(teamDialogTexts);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [notes, setNotes] = useState("");
  const [tried, setTried] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const close = useCloseAccount(member);
  const transfer = useTransfer(member);
  // A ref and not the mutations' state: a double click arrives before the next render.
  const asked = useRef(false);
  const isBusy = close.isPending || transfer.isRunning;
  const mustClose = closes && !isClosed;
  const { name, leads } = member;
  const takers = team.filter(
    (each) => each.role === "consultant" && !each.disabledAt && each.id !== member.id,
  );
  const fault =
    chosen.size > maxTakers
      ? t("takersMany", { max: maxTakers })
      : chosen.size === 0 && !mustClose
        ? t("takersMissing")
        : undefined;

  async function work(): Promise<void> {
    if (mustClose) {
      await close.mutateAsync();
      setClosed(true);
    }
    if (chosen.size > 0) await transfer.start({ to: [...chosen], notes: notes.trim() || null });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (asked.current || fault) return;
    asked.current = true;
    work()
      .then(onClose)
      // The toast has said why; the account may be closed by now, and the leads still be there.
      .catch(() => undefined)
      .finally(() => {
        asked.current = false;
      });
  }

  const count = { count: leads, n: formatNumber(leads) };
  const action = mustClose ? t(chosen.size > 0 ? "closeAndTransfer" : "close") : t("transfer");
  const acting = close.isPending ? t("closing") : t("transferring");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isBusy && onClose()}
      title={mustClose ? t("closeTitle", { name }) : t("transferTitle", { name })}
      description={mustClose ? t("closeText") : t("transferText", count)}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      className="max-w-md"
    >
      <form onSubmit={submit} className="contents" noValidate>
        {transfer.isRunning ? (
          <TransferRun progress={transfer.progress} />
        ) : leads > 0 ? (
          <DialogBody className="grid content-start gap-4">
            <TakersField
              label={t("leadsOf", count)}
              hint={t(mustClose ? "takersHint" : "takersHintOnly")}
              error={tried ? fault : undefined}
              takers={takers}
              chosen={chosen}
              onChange={setChosen}
            />
            {takers.length > 0 ? (
              <Field label={t("notes")}>
                {(control) => (
                  <Textarea
                    {...control}
                    rows={2}
                    maxLength={limits.notesMaxLength}
                    placeholder={t("notesPlaceholder")}
                    value={notes}
                    onChange={(event) => setNotes(event.target.value)}
                  />
                )}
              </Field>
            ) : null}
          </DialogBody>
        ) : (
          <div className="h-5" />
        )}
        <DialogFooter>
          {transfer.isRunning ? (
            <Button variant="secondary" pending={transfer.isStopping} onClick={transfer.stop}>
              {t(transfer.isStopping ? "stopping" : "stop")}
            </Button>
          ) : (
            <>
              <Button variant="secondary" disabled={isBusy} onClick={onClose}>
                {t("cancel")}
              </Button>
              <Button type="submit" variant={mustClose ? "destructive" : "primary"} pending={isBusy}>
                {isBusy ? acting : action}
              </Button>
            </>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function TransferRun({ progress: { done, total } }: { progress: { done: number; total: number } }) {
  const t = useTexts(teamDialogTexts);
  return (
    <DialogBody className="grid gap-2 text-sm">
      <ProgressBar label={t("transferring")} done={done} total={total} />
      <p aria-live="polite" className="text-muted-foreground">
        {t("progress", { done: formatNumber(done), total: formatNumber(total) })}
      </p>
    </DialogBody>
  );
}
