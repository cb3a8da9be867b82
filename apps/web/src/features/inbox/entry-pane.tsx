import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Check, Undo2, UserRoundCheck } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { RelativeTime } from "../../lib/clock.tsx";
import { formatPhone } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { withKey } from "../../lib/keys.ts";
import { lateComponent } from "../../lib/late-module.ts";
import { openLead } from "../../lib/lead-panel.ts";
import { Button } from "../../ui/button.tsx";
import { openDialog } from "../../ui/dialog-outlet.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { PartFailed, Skeleton } from "../../ui/list-states.tsx";
import { StrangerActions } from "../call-history/caller-actions.tsx";
import { CallNowButton } from "../leads/components/call-now-button.tsx";
import { FurtherNumbers } from "../leads/components/further-numbers.tsx";
import { AttachmentsNote } from "../sms/components/attachments-note.tsx";
import { Conversation } from "../sms/components/conversation.tsx";
import { LeadPicker } from "../sms/components/lead-picker.tsx";
import { useIsOthersLead } from "../sms/use-sms-refusal.ts";
import { EntryCalls } from "./entry-calls.tsx";
import { entryName } from "./entry-row.tsx";
import { inboxPageMessages } from "./messages.ts";
import { entryLeadQuery, type ShownEntry, useAttachNumber } from "./queries.ts";

const AssignDialog = lateComponent(() => import("../leads/components/assign-dialog.tsx"));

/** The lead that a number of the list was given to. */
export type NumberOwner = Pick<Lead, "id" | "name">;

interface EntryPaneProps {
  entry: ShownEntry;
  /** The lead that the entry's number was given to here. */
  owner: NumberOwner | undefined;
  onOwner: (owner: NumberOwner) => void;
  onBack: () => void;
  /** Called with true for done, false to undo that. */
  onSettle: (done: boolean) => void;
}

/** The content of an entry, and the reply. */
export function EntryPane({ entry, owner, onOwner, onBack, onSettle }: EntryPaneProps) {
  const { lead } = entry;
  const done = <DoneButton entry={entry} onSettle={onSettle} />;
  // A number that several leads share stays with none of them, so its entry still waits.
  const isGiven = owner !== undefined && entry.isDone;
  if (lead) return <LeadPane entry={entry} leadId={lead.id} onBack={onBack} done={done} />;
  return (
    <>
      <PaneHead entry={entry} owner={isGiven ? owner : undefined} onBack={onBack}>
        {isGiven ? null : done}
      </PaneHead>
      <StrangerPane entry={entry} owner={isGiven ? owner : undefined} onOwner={onOwner} />
    </>
  );
}

/** One button that is never disabled, so that it keeps the focus. */
function DoneButton({ entry, onSettle }: Pick<EntryPaneProps, "entry" | "onSettle">) {
  const t = useMessages(inboxPageMessages);
  const { isDone } = entry;
  const Icon = isDone ? Undo2 : Check;
  return (
    <Button
      variant="secondary"
      aria-keyshortcuts={isDone ? undefined : "e"}
      title={isDone ? undefined : withKey(t("done"), "done")}
      onClick={() => onSettle(!isDone)}
    >
      <Icon aria-hidden />
      {t(isDone ? "putBack" : "done")} <span className="sr-only">{entryName(entry, t)}</span>
    </Button>
  );
}

interface PaneHeadProps {
  entry: ShownEntry;
  /** Shown below the name of a lead. */
  detail?: ReactNode;
  owner?: NumberOwner | undefined;
  onBack: () => void;
  children: ReactNode;
}

function PaneHead({ entry, detail, owner, onBack, children }: PaneHeadProps) {
  const t = useMessages(inboxPageMessages);
  const { lead } = entry;
  const name = entryName(entry, t);
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-6">
      <Button variant="ghost" size="icon" aria-label={t("back")} onClick={onBack} className="md:hidden">
        <ArrowLeft aria-hidden />
      </Button>
      <div className="min-w-0 flex-1 basis-32">
        <h2 tabIndex={-1} data-entry-title className="truncate font-semibold text-base">
          {lead ? <LeadLink leadId={lead.id}>{name}</LeadLink> : name}
        </h2>
        <p className="truncate text-muted-foreground text-xs">
          {lead ? detail : owner ? t("of", { rep: owner.name }) : t("unknownCaller")}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:w-full">{children}</div>
    </header>
  );
}

interface LeadPaneProps {
  entry: ShownEntry;
  leadId: number;
  onBack: () => void;
  done: ReactNode;
}

/** The entry of a lead: missed calls, SMS, and the reply. */
function LeadPane({ entry, leadId, onBack, done }: LeadPaneProps) {
  const t = useMessages(inboxPageMessages);
  const found = useQuery(entryLeadQuery(leadId));
  const { data: lead, error } = found;
  const isOthers = useIsOthersLead(lead);
  const isColleagues = isOthers && lead?.assignedTo !== null;
  const assignButton = useRef<HTMLButtonElement>(null);
  const detail = [
    lead?.company,
    lead?.phone && formatPhone(lead.phone),
    lead && (lead.salesRepName ? t("of", { rep: lead.salesRepName }) : t("unassigned")),
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <>
      <PaneHead entry={entry} detail={detail} onBack={onBack}>
        {lead ? (
          <>
            {isOthers ? null : <CallNowButton lead={lead} />}
            {isColleagues ? null : (
              <Button
                ref={assignButton}
                variant="secondary"
                onClick={() =>
                  openDialog((close) => (
                    <AssignDialog lead={lead} onClose={close} returnFocusTo={assignButton} />
                  ))
                }
              >
                <UserRoundCheck aria-hidden />
                <span className="max-sm:sr-only">{t(lead.assignedTo === null ? "assign" : "transfer")}</span>
              </Button>
            )}
          </>
        ) : null}
        {isColleagues ? null : done}
      </PaneHead>
      {lead && !isOthers ? (
        <FurtherNumbers
          lead={lead}
          calledFrom={entry.calls[0]?.number}
          className="shrink-0 border-t px-5 py-2.5 sm:px-6"
        />
      ) : null}
      <EntryCalls calls={entry.calls} name={entryName(entry, t)} />
      {lead ? (
        <Conversation lead={lead} autoFocus={false} />
      ) : error ? (
        <div className="p-6">
          <PartFailed found={found} text={t("leadFailed")} />
        </div>
      ) : (
        <div className="grid flex-1 content-end gap-3 p-6">
          <Skeleton className="h-10 w-2/3 rounded-2xl" />
          <Skeleton className="h-16" />
        </div>
      )}
    </>
  );
}

/** The entry of an unknown number, and the choice of its lead. */
function StrangerPane({ entry, owner, onOwner }: Pick<EntryPaneProps, "entry" | "owner" | "onOwner">) {
  const t = useMessages(inboxPageMessages);
  const { number, texts, calls } = entry;
  const [isPicking, setPicking] = useState(false);
  const attach = useAttachNumber();
  return (
    <>
      <EntryCalls calls={calls} name={entryName(entry, t)} />
      {texts.length > 0 ? (
        <section
          aria-label={t("texts")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
          tabIndex={0}
          className="min-h-0 flex-1 overflow-y-auto border-t px-5 py-4 outline-offset-[-2px] sm:px-6"
        >
          <ul className="grid grid-cols-1 gap-2.5">
            {texts.toReversed().map((text) => (
              <li key={text.id} className="grid max-w-[85%] justify-items-start gap-1">
                <p
                  dir="auto"
                  className="whitespace-pre-wrap rounded-2xl rounded-bl-md bg-muted px-3.5 py-2 text-sm leading-5 [overflow-wrap:anywhere]"
                >
                  {text.message}
                  <AttachmentsNote count={text.attachments} />
                </p>
                <time dateTime={text.createdAt} className="text-muted-foreground text-xs">
                  <RelativeTime at={text.createdAt} />
                </time>
              </li>
            ))}
          </ul>
        </section>
      ) : (
        <div className="flex-1" />
      )}
      {owner ? (
        <footer className="shrink-0 border-t px-5 py-4 sm:px-6">
          <p role="status" className="text-sm">
            {t("givenTo")} <LeadLink leadId={owner.id}>{owner.name}</LeadLink>
          </p>
        </footer>
      ) : number ? (
        <footer className="grid shrink-0 gap-3 border-t px-5 py-4 sm:px-6">
          <p className="text-muted-foreground text-sm">{t("noReply")}</p>
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              variant="secondary"
              aria-expanded={isPicking}
              onClick={() => setPicking(!isPicking)}
            >
              {t("attach")}
            </Button>
            <StrangerActions
              number={number}
              onMade={(lead) => {
                onOwner(lead);
                openLead(lead.id);
              }}
            />
          </div>
          {isPicking ? (
            <LeadPicker
              isPending={attach.isPending}
              onPick={(lead) =>
                attach.mutate(
                  { number, lead },
                  {
                    onSuccess: () => {
                      setPicking(false);
                      onOwner(lead);
                    },
                  },
                )
              }
            />
          ) : null}
        </footer>
      ) : null}
    </>
  );
}
