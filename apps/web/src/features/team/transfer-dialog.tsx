import { limits } from "@portal/contract/limits";
import { type TeamMember, transferMemberLeads } from "@portal/contract/routes/team";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { ApiError, callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { formatNumber } from "../../lib/format.ts";
import { messagesOf, useMessages } from "../../lib/i18n.ts";
import { refreshLeads } from "../../lib/lead-updates.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/checkbox.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { toast } from "../../ui/toast.ts";
import { teamDialogMessages } from "./dialog-messages.ts";
import { filterTeam, refreshTeam, useCloseAccount } from "./queries.ts";

/** The contract's limit. */
const maxTakers = 50;

interface TransferDialogProps {
  member: TeamMember;
  team: readonly TeamMember[];
  /** The account is disabled first; its leads may then stay assigned to it. */
  closes: boolean;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Transfers a user's leads to others, after disabling the account if requested. The input stays if it fails. */
export function TransferDialog({ member, team, closes, onClose, returnFocusTo }: TransferDialogProps) {
  const t = useMessages(teamDialogMessages);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [notes, setNotes] = useState("");
  const [tried, setTried] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const close = useCloseAccount(member);
  const transfer = useTransfer(member);
  // A ref instead of the mutations' state, as a double click arrives before the next render.
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
      // A toast has shown why; the account may be disabled and still have leads.
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
  const t = useMessages(teamDialogMessages);
  return (
    <DialogBody className="grid gap-2 text-sm">
      <ProgressBar label={t("transferring")} done={done} total={total} />
      <p aria-live="polite" className="text-muted-foreground">
        {t("progress", { done: formatNumber(done), total: formatNumber(total) })}
      </p>
    </DialogBody>
  );
}

interface Transfer {
  /** Ids of the consultants who receive the leads in rotation. */
  to: readonly number[];
  notes: string | null;
}

interface TransferProgress {
  done: number;
  total: number;
}

/** Transfers a user's leads by repeated requests until none is left or it is stopped, and shows the result. */
function useTransfer({ id, name, leads }: TeamMember) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<TransferProgress>({ done: 0, total: leads });
  const [isStopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const run = useMutation({
    mutationFn: async ({ to, notes }: Transfer): Promise<{ done: number; left: number }> => {
      stopped.current = false;
      setStopping(false);
      let done = 0;
      for (;;) {
        const body = { to: [...to], notes };
        const { transferred, left } = await callRoute(transferMemberLeads, { params: { id }, body });
        done += transferred;
        setProgress({ done, total: done + left });
        // None was transferred: the remaining ones cannot be, and further requests would never end.
        if (left === 0 || transferred === 0 || stopped.current) return { done, left };
      }
    },
    onSuccess: ({ done, left }) => {
      const t = messagesOf(teamDialogMessages);
      const words = [t("transferred", { count: done, n: formatNumber(done), name })];
      if (left > 0) words.push(t("left", { count: left, n: formatNumber(left) }));
      toast({
        title: t("transferredTitle"),
        description: words.join(" "),
        tone: left > 0 ? "warning" : "success",
      });
    },
    onError: (error) => {
      const t = messagesOf(teamDialogMessages);
      // A refusal explains itself; a server failure adds no useful reason.
      const reason = error instanceof ApiError && error.status < 500 ? ` ${errorText(error)}` : "";
      toast({
        title: t("errorTitle"),
        description: `${t("transferFailed")}${reason}`,
        error,
        tone: "destructive",
      });
    },
    onSettled: () => Promise.all([refreshTeam(client), refreshLeads(client)]),
  });
  return {
    progress,
    isStopping,
    isRunning: run.isPending,
    start: run.mutateAsync,
    /** Stops after the current request. */
    stop() {
      stopped.current = true;
      setStopping(true);
    },
  };
}

interface TakersFieldProps {
  label: string;
  hint: ReactNode;
  error: string | undefined;
  /** The consultants who can receive leads. */
  takers: readonly TeamMember[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
}

/** From this number on there is a search field. */
const searchFrom = 9;

/** Selects one or several consultants who receive the leads, each with their current number of leads. */
function TakersField({ label, hint, error, takers, chosen, onChange }: TakersFieldProps) {
  const t = useMessages(teamDialogMessages);
  const noteId = useId();
  const [search, setSearch] = useState("");
  const found = filterTeam(takers, { search, state: "open" });
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  if (takers.length === 0) return <p className="text-muted-foreground text-sm">{t("takersNone")}</p>;
  return (
    <fieldset aria-describedby={noteId} aria-invalid={error ? true : undefined} className="grid gap-2">
      <legend className="mb-2 font-medium text-[0.8125rem] leading-5">{label}</legend>
      {takers.length >= searchFrom ? (
        <Input
          type="search"
          aria-label={t("takersSearch")}
          placeholder={t("takersSearch")}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      ) : null}
      <div className="max-h-48 overflow-y-auto rounded-md border">
        {found.map(({ id, name, leads }) => (
          <CheckboxField
            key={id}
            checked={chosen.has(id)}
            onChange={() => toggle(id)}
            className="min-h-9 w-full border-b px-3 last:border-b-0 hover:bg-muted/60"
          >
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
            <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
              {t("leadCount", { count: leads, n: formatNumber(leads) })}
            </span>
          </CheckboxField>
        ))}
      </div>
      <p
        id={noteId}
        role={error ? "alert" : undefined}
        className={error ? "text-[0.8125rem] text-danger-text" : "text-[0.8125rem] text-muted-foreground"}
      >
        {error ?? (
          <>
            {chosen.size > 0 ? (
              <span className="text-foreground">{t("chosen", { count: chosen.size })}. </span>
            ) : null}
            {hint}
          </>
        )}
      </p>
    </fieldset>
  );
}
