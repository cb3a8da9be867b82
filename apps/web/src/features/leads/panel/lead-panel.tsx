import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, Pencil, UserRoundCheck, X } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { useRootMark } from "../../../lib/document.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { type KeyCommand, keyTable, singleKeys, withKey } from "../../../lib/keys.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { closeLead, stepLead } from "../../../lib/lead-commands.ts";
import { openLead } from "../../../lib/lead-panel.ts";
import { notifyLeadUpdate, useLeadUpdates } from "../../../lib/lead-updates.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { isWriter } from "../../../lib/session.ts";
import { PriorityBadge, StatusBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { SectionBody, SectionFooter } from "../../../ui/dialog.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { readDraft } from "../../sms/thread-state.ts";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { EditNameForm } from "../components/edit-name-dialog.tsx";
import { unsavedNotes } from "../components/update-status-dialog.tsx";
import { leadQuery } from "../queries.ts";
import { unsavedNote } from "./lead-composer.tsx";
import { KnownFields, LeadFacts, LeadRegion } from "./lead-facts.tsx";
import { leadPanelMessages } from "./messages.ts";
import { OwnLead } from "./own-lead.tsx";

interface LeadPanelProps {
  leadId: number;
  /** The panel covers the page, which is inert then. */
  isAlone: boolean;
  className: string;
}

/**
 * A panel with all data and actions of one lead, beside the page on which it was opened. The page stays usable; below 1024 px the panel
 * covers it.
 */
export function LeadPanel({ leadId, isAlone, className }: LeadPanelProps) {
  const t = useMessages(leadPanelMessages);
  const title = useId();
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, isFetching, isFetchedAfterMount, refetch } = useQuery(leadQuery(leadId));
  // An earlier version is shown only if there is no answer, so that no field begins with an old value.
  const lead = isFetchedAfterMount ? data : undefined;
  const { data: user } = useQuery(currentUserQuery());
  const mayAct = isWriter(user, lead);
  const [renamed, setRenamed] = useState<number | null>(null);
  const isRenaming = renamed === leadId;
  // The lead's row may be older than this data.
  useEffect(() => {
    if (lead) notifyLeadUpdate({ id: lead.id, lead, isOnlyRead: true });
  }, [lead]);
  // A merged lead: opens the surviving one.
  useEffect(() => {
    if (lead && lead.id !== leadId) openLead(lead.id);
  }, [lead, leadId]);
  useLeadUpdates((update) => {
    if (update !== "all" && update.id === leadId && update.lead === null) void refetch();
  });
  useRootMark("hasLeadPanel");
  useLeadPanelKeys(panel);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each lead.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest("[data-scroll]")?.scrollTo?.({ top: 0 });
  }, [leadId]);
  return (
    <section
      ref={panel}
      role="dialog"
      aria-modal={isAlone}
      aria-labelledby={title}
      data-lead-panel
      className={cn(
        "slide-in-from-right-4 fade-in-0 fixed inset-0 z-35 flex animate-in flex-col border-l bg-surface shadow-float duration-150 lg:top-(--chrome) lg:left-auto lg:w-[clamp(30rem,38vw,35rem)]",
        className,
      )}
    >
      {/* Not a <header>, which would count as a second banner of the page. */}
      <div className="flex items-start gap-1 border-b py-2.5 pr-3 pl-5">
        {lead && isRenaming ? (
          <div className="min-w-0 flex-1 py-1">
            <EditNameForm
              lead={lead}
              onDone={() => {
                setRenamed(null);
                heading.current?.focus();
              }}
              body={SectionBody}
              footer={SectionFooter}
            />
          </div>
        ) : null}
        <h2
          ref={heading}
          id={title}
          tabIndex={-1}
          className={cn(
            "min-w-0 flex-1 rounded-sm py-0.5 font-semibold text-lg leading-7 [overflow-wrap:anywhere]",
            isRenaming && "sr-only",
          )}
        >
          {lead?.name ?? t("details")}
        </h2>
        {lead && mayAct && !isRenaming ? (
          <IconButton label={t("editName", { name: lead.name })} onPress={() => setRenamed(leadId)}>
            <Pencil aria-hidden className="size-3.5" />
          </IconButton>
        ) : null}
        <IconButton label={t("previous")} keys="previous" onPress={() => stepLead(-1)}>
          <ChevronUp aria-hidden />
        </IconButton>
        <IconButton label={t("next")} keys="next" onPress={() => stepLead(1)}>
          <ChevronDown aria-hidden />
        </IconButton>
        <IconButton label={t("close")} onPress={closeLead}>
          <X aria-hidden />
        </IconButton>
      </div>
      {/* Focusable, so that keys can scroll it. */}
      <section
        data-scroll
        aria-label={t("details")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it.
        tabIndex={0}
        className="grid min-h-0 flex-1 auto-rows-max grid-cols-1 content-start gap-5 overflow-y-auto overscroll-contain px-5 py-4"
      >
        {lead ? (
          mayAct ? (
            <OwnLead key={lead.id} lead={lead} />
          ) : (
            <OthersLead key={lead.id} lead={lead} />
          )
        ) : error ? (
          <div className="grid justify-items-start gap-3">
            <FailureText error={error} fallback={t("loadFailed")} />
            <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
              {t("retry")}
            </Button>
          </div>
        ) : (
          <div role="status" aria-label={t("loading")} className="grid gap-4">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-10" />
            <Skeleton className="h-40" />
          </div>
        )}
      </section>
    </section>
  );
}

interface IconButtonProps {
  label: string;
  /** The shortcut for the same command. */
  keys?: KeyCommand;
  onPress: () => void;
  children: ReactNode;
}

function IconButton({ label, keys, onPress, children }: IconButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      className="text-muted-foreground"
      aria-label={label}
      aria-keyshortcuts={keys && singleKeys.get() ? keyTable[keys].keys : undefined}
      title={keys ? withKey(label, keys) : label}
      onClick={onPress}
    >
      {children}
    </Button>
  );
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input, textarea, select, [role=combobox], [role=listbox] *, [role=menu] *"));

/** Whether a dialog or a menu has the keys; the panel itself does not count. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("[role=dialog]:not([data-lead-panel]), [role=alertdialog], [role=menu], [role=listbox]") !==
    null;

/**
 * Escape closes an open panel; in a field it only leaves the field, so that no input is lost. The panel's other shortcuts are those of the
 * page (`lib/keys.ts`).
 */
function useLeadPanelKeys(panel: RefObject<HTMLElement | null>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(target))
      return;
    const isInside = target instanceof Node && panel.current?.contains(target);
    if (key === "Escape" && (isInside || !isField(target))) {
      event.preventDefault();
      if (isField(target)) panel.current?.querySelector<HTMLElement>("h2")?.focus();
      else closeLead();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

const AssignDialog = lateComponent(() => import("../components/assign-dialog.tsx"));

/** A lead of another consultant, or an unassigned one that can be assigned: the data that everybody may see. */
function OthersLead({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
  const assign = useRef<HTMLButtonElement>(null);
  const isFree = lead.assignedTo === null;
  const onAssign = () =>
    openDialog((close) => <AssignDialog lead={lead} onClose={close} returnFocusTo={assign} />);
  return (
    <>
      <div className="grid gap-2">
        <p className="flex flex-wrap gap-2">
          <StatusBadge status={lead.status} />
          <PriorityBadge priority={lead.priority} />
        </p>
        <LastAttempt lead={lead} className="text-sm" />
      </div>
      <p className="rounded-lg bg-muted/70 px-4 py-3 text-muted-foreground text-sm">
        {isFree ? t("nobodys") : t("theirs", { name: lead.salesRepName ?? t("notAvailable") })}
      </p>
      <Unsaved leadId={lead.id} />
      {isFree ? (
        <Button ref={assign} className="justify-self-start" onClick={onAssign}>
          <UserRoundCheck aria-hidden />
          {t("assign")}
        </Button>
      ) : null}
      <LeadFacts lead={lead} />
      {lead.notes ? (
        <div className="text-sm">
          <p className="text-muted-foreground text-xs">{t("notes")}</p>
          <p className="whitespace-pre-line break-words">{lead.notes}</p>
        </div>
      ) : null}
      <LeadRegion leadId={lead.id} />
      <KnownFields leadId={lead.id} />
    </>
  );
}

/** Unsaved text from before the lead was reassigned: it can no longer be saved here, but copied. */
function Unsaved({ leadId }: { leadId: number }) {
  const t = useMessages(leadPanelMessages);
  const typed = [unsavedNotes(leadId), unsavedNote(leadId), readDraft(leadId)].filter((text) => text);
  if (typed.length === 0) return null;
  return (
    <div className="grid gap-1.5 rounded-lg border px-4 py-3 text-sm">
      <p className="text-muted-foreground">{t("unsaved")}</p>
      {typed.map((text) => (
        <p key={text} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
      ))}
    </div>
  );
}
