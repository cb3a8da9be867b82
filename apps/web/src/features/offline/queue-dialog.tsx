import type { LeadStatus } from "@portal/contract/entities/lead";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useId, useRef, useState } from "react";
import { ApiError } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { formatDate, formatSoon, formatTimeIn } from "../../lib/format.ts";
import { messagesOf, useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { leadLanguageMessages } from "../../lib/lead-language-messages.ts";
import { discardItem, isQueueOpen, queueItems, sendAgain, sendQueue } from "../../lib/offline/queue.ts";
import {
  conflictOf,
  type OfflineWrite,
  type QueueItem,
  withOwn,
  withTheirs,
} from "../../lib/offline/queue-item.ts";
import { useStore } from "../../lib/store.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../ui/dialog.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { outcomeMessages } from "../telephony/call/messages.ts";
import { queueMessages } from "./queue-messages.ts";
import { showSent } from "./show-sent.ts";

/** The queued writes in order, with choices for refused ones. */
export default function QueueDialog() {
  const t = useMessages(queueMessages);
  const isOpen = useStore(isQueueOpen);
  const items = useStore(queueItems);
  const client = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const send = useMutation({
    mutationFn: () => sendQueue(client),
    onSuccess: ({ sent }) => showSent(sent),
  });
  const close = () => isQueueOpen.set(false);
  const waits = items.some(({ refusal }) => !refusal);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => isQueueOpen.set(open)}
      title={t("title")}
      description={items.length === 0 ? t("empty") : t("hint")}
    >
      <DialogBody className="py-0">
        <ul ref={list} tabIndex={-1} aria-label={t("list")} className="divide-y outline-none">
          {items.map((item) => (
            <QueueEntry key={item.id} item={item} list={list} onOpenLead={close} />
          ))}
        </ul>
        {waits && send.data?.waits ? (
          <p role="status" className="pb-3 text-muted-foreground text-sm">
            {t("stillAway")}
          </p>
        ) : null}
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onClick={close}>
          {t("close")}
        </Button>
        {waits ? (
          <Button pending={send.isPending} onClick={() => send.mutate()}>
            {t("tryNow")}
          </Button>
        ) : null}
      </DialogFooter>
    </Dialog>
  );
}

interface QueueEntryProps {
  item: QueueItem;
  /** Gets the focus when the entry has disappeared. */
  list: RefObject<HTMLElement | null>;
  onOpenLead: () => void;
}

/** One queued write: its lead, content and time, and, if the server refused it, the reason and choices. */
function QueueEntry({ item, list, onOpenLead }: QueueEntryProps) {
  const t = useMessages(queueMessages);
  const label = useId();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const lines = labelWrite(item.write);
  const what = lines.map(({ label: name, value }) => `${name}: ${value}`).join(", ");
  const now = conflictOf(item);
  const act = useMutation({
    mutationFn: async (next: QueueItem | null): Promise<unknown> =>
      next ? sendAgain(client, next) : discardItem(client, item),
    onSettled: () => list.current?.focus(),
  });
  const button = { size: "sm", disabled: act.isPending } as const;
  return (
    <li aria-labelledby={label} className="grid gap-2 py-3.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={label} className="min-w-0 break-words font-semibold text-sm">
          <LeadLink leadId={item.leadId} onOpen={onOpenLead}>
            {item.leadName}
          </LeadLink>
        </h3>
        <p className="text-muted-foreground text-xs">{t("saidAt", { when: formatSoon(item.saidAt) })}</p>
      </div>
      <Lines lines={lines} />
      {item.refusal ? (
        <div className="grid gap-1 rounded-lg bg-danger-soft px-3 py-2 text-danger-text text-sm">
          {now ? (
            <>
              <p>{t("conflict")}</p>
              <Lines lines={labelFields(now)} />
            </>
          ) : (
            <p>{t("refused", { reason: errorText(new ApiError(item.refusal)) })}</p>
          )}
        </div>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        {now ? (
          <>
            <Button {...button} variant="secondary" onClick={() => act.mutate(withTheirs(item))}>
              {t("leaveTheirs")}
            </Button>
            <Button {...button} onClick={() => act.mutate(withOwn(item))}>
              {t("saveMine")}
            </Button>
          </>
        ) : (
          <>
            <Button
              {...button}
              variant="ghost"
              aria-label={t("discardOf", { what, name: item.leadName })}
              onClick={() => setAsking(true)}
            >
              {t("discard")}
            </Button>
            {item.refusal ? (
              <Button {...button} variant="secondary" onClick={() => act.mutate(item)}>
                {t("tryAgain")}
              </Button>
            ) : null}
          </>
        )}
      </div>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t("discardTitle")}
        description={t("discardText", { name: item.leadName, what })}
        cancelLabel={t("cancel")}
        confirmLabel={t("discard")}
        destructive
        pending={act.isPending}
        onConfirm={() => act.mutate(null)}
      />
    </li>
  );
}

function Lines({ lines }: { lines: WriteLine[] }) {
  return (
    <dl className="grid gap-0.5 text-sm">
      {lines.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 gap-x-2">
          <dt className="shrink-0">{label}:</dt>
          <dd className="line-clamp-4 min-w-0 whitespace-pre-line font-medium [overflow-wrap:anywhere]">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A field and its value as text. */
interface WriteLine {
  label: string;
  value: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** 'Nov 26, 2026 · 10:00 (America/New_York)'; only the date without a time. */
function followUpValue({ nextFollowUpDate: date, nextFollowUpTime: time, nextFollowUpZone: zone }: Fields) {
  const parts = [
    isText(date) ? formatDate(date) : null,
    isText(time) ? formatTimeIn(`1970-01-01T${time}:00Z`, "UTC") : null,
    isText(zone) ? zone.replaceAll("_", " ") : null,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** The values of a lead's or call's fields as text; `fields` are those of a queued write, or the current ones. */
function labelFields(fields: Fields): WriteLine[] {
  const t = messagesOf(queueMessages);
  const label = messagesOf(leadLabelMessages);
  const lines: WriteLine[] = [];
  const { outcome, status, priority, notes, language } = fields;
  if (isText(outcome))
    lines.push({ label: t("outcome"), value: messagesOf(outcomeMessages)(outcome as "answered") });
  if (isText(status)) lines.push({ label: label("status"), value: label(status as LeadStatus) });
  if (isText(priority)) lines.push({ label: label("priority"), value: label(priority as "high") });
  if ("nextFollowUpDate" in fields || "nextFollowUpTime" in fields) {
    const value = followUpValue(fields);
    lines.push({ label: t("followUp"), value: value || t("nothing") });
  }
  if (notes !== undefined) lines.push({ label: t("notes"), value: isText(notes) ? notes : t("nothing") });
  if (language !== undefined) {
    const name = messagesOf(leadLanguageMessages);
    lines.push({ label: name("language"), value: name(isText(language) ? (language as "es") : "unknown") });
  }
  return lines;
}

/** A change of a part of the follow-up, its time or its day, together with the part that stays. */
function wholeFollowUp(change: Fields, seen: Fields): Fields {
  const changesPart = "nextFollowUpDate" in change || "nextFollowUpTime" in change;
  if (!changesPart || change.nextFollowUpDate === null) return change;
  const { nextFollowUpDate, nextFollowUpTime, nextFollowUpZone } = seen;
  return { nextFollowUpDate, nextFollowUpTime, nextFollowUpZone, ...change };
}

/** The fields of a queued write as text. */
function labelWrite(write: OfflineWrite): WriteLine[] {
  switch (write.kind) {
    case "note":
      return [{ label: messagesOf(queueMessages)("note"), value: write.text }];
    case "change":
      return labelFields(wholeFollowUp(write.change, write.seen));
    case "outcome": {
      const { outcome, notes } = write.report;
      return labelFields({ outcome, ...(notes && { notes }) });
    }
  }
}
