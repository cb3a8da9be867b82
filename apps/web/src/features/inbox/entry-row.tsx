import { Check, MessageSquare, PhoneMissed, Voicemail } from "lucide-react";
import { RelativeTime } from "../../lib/clock.tsx";
import { formatPhone } from "../../lib/format.ts";
import { type Translate, useMessages } from "../../lib/i18n.ts";
import { PaneRow } from "../../ui/pick-row.tsx";
import { inboxPageMessages } from "./messages.ts";
import type { ShownEntry } from "./queries.ts";

type T = Translate<typeof inboxPageMessages.pairs>;

/** The name of an entry: the lead's, or the number unless withheld. */
export function entryName({ lead, number }: Pick<ShownEntry, "lead" | "number">, t: T): string {
  return lead ? lead.name : number ? formatPhone(number) : t("withheld");
}

/** The newest item of an entry in a line. */
function previewOf({ texts, calls }: ShownEntry, t: T): string {
  const [text] = texts;
  const [call] = calls;
  if (call && (!text || call.startedAt > text.createdAt)) {
    const kind = t(call.result === "voicemail" ? "voicemail" : "missedCall");
    return call.transcription ? `${kind}: ${call.transcription}` : kind;
  }
  return text?.message || t("files");
}

interface EntryRowProps {
  entry: ShownEntry;
  isOpen: boolean;
  /** Show the name of the lead's consultant. */
  withRep: boolean;
  onOpen: () => void;
}

/** One entry: name, newest text, time and counts. */
export function EntryRow({ entry, isOpen, withRep, onOpen }: EntryRowProps) {
  const t = useMessages(inboxPageMessages);
  const { lead, textCount, callCount, isDone } = entry;
  const of = !lead
    ? t("unknownCaller")
    : withRep
      ? lead.salesRepName
        ? t("of", { rep: lead.salesRepName })
        : t("unassigned")
      : lead.company;
  const [call] = entry.calls;
  return (
    <li className="border-b last:border-b-0">
      <PaneRow
        data-entry={entry.id}
        aria-current={isOpen ? "true" : undefined}
        onClick={onOpen}
        isQuiet={isDone}
        name={entryName(entry, t)}
        time={<RelativeTime at={entry.at} />}
        preview={previewOf(entry, t)}
        detail={of}
        counts={
          isDone ? (
            <>
              <Check aria-hidden className="size-3.5" />
              {t("settledMark")}
            </>
          ) : (
            <>
              <Count icon={MessageSquare} count={textCount} label={t("unread", { count: textCount })} />
              <Count
                icon={call?.result === "voicemail" ? Voicemail : PhoneMissed}
                count={callCount}
                label={t("missed", { count: callCount })}
              />
            </>
          )
        }
      />
    </li>
  );
}

function Count({ icon: Icon, count, label }: { icon: typeof Check; count: number; label: string }) {
  if (count === 0) return null;
  return (
    <span className="inline-flex items-center gap-1 font-medium text-primary-text">
      <Icon aria-hidden className="size-3.5" />
      <span aria-hidden>{count}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}
