import { callOutcomes } from "@portal/contract/entities/call";
import type { DialerCaller, DialerSession } from "@portal/contract/entities/dialer";
import { type LineBrief, lineBriefs } from "@portal/contract/entities/line";
import { Phone, PhoneIncoming } from "lucide-react";
import { formatDuration, formatTime } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/select.tsx";
import { outcomeMessages } from "../../telephony/call/messages.ts";
import { lineMessages } from "../messages.ts";
import { useDialerBrief, useMoveNext } from "../queries.ts";
import { useServerNow } from "../session-query.ts";

interface LineStripProps {
  session: DialerSession;
  clockOffset: number;
}

/** The consultant's open line: its duration, the brief, and the phone's keys. */
export function LineStrip({ session, clockOffset }: LineStripProps) {
  const t = useMessages(lineMessages);
  const brief = useDialerBrief(session.id);
  const { line } = session;
  const isOpen = line?.state === "open";
  const now = useServerNow(clockOffset, isOpen);
  if (session.lineMode !== "open_line" || !line || !isOpen) return null;
  const seconds = Math.max(0, (now - Date.parse(line.connectedAt ?? line.startedAt)) / 1000);
  return (
    <section
      aria-label={t("open")}
      className="grid gap-y-1 rounded-xl border border-primary/40 px-3 py-2 text-sm"
    >
      <div className="flex min-w-0 items-center gap-3">
        <p className="flex shrink-0 items-center gap-2 font-medium">
          <Phone aria-hidden className="size-4 text-primary-text" />
          {t("open")}
        </p>
        <p role="timer" aria-label={t("openTimer")} className="tabular-nums">
          {formatDuration(seconds)}
        </p>
        <BriefSelect
          aria-label={t("brief")}
          className="ml-auto w-auto min-w-0"
          value={session.brief}
          onChange={(chosen) => brief.mutate(chosen)}
        />
      </div>
      <PhoneKeys />
    </section>
  );
}

const keyClasses = "rounded border bg-muted px-1.5 py-px font-medium font-sans text-[0.6875rem] leading-4";

/** A collapsible explanation of the phone's keys. */
function PhoneKeys() {
  const t = useMessages(lineMessages);
  const outcome = useMessages(outcomeMessages);
  const after: [key: string, means: string][] = [
    ...callOutcomes.map((each, index): [string, string] => [String(index + 1), outcome(each)]),
    ["#", t("keySuggested")],
    ["7", t("keyCallBack")],
    ["8", t("keyBrief")],
    ["0", t("keyPause")],
    ["*", t("keyCorrect")],
  ];
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded py-1 text-muted-foreground text-xs pointer-coarse:min-h-11 pointer-coarse:py-3.5">
        {t("keys")}
      </summary>
      <div className="grid gap-2 pb-1 text-muted-foreground text-xs">
        <KeyList title={t("keysDuring")} keys={[["*", t("keyEnd")]]} />
        <KeyList title={t("keysAfter")} keys={after} />
      </div>
    </details>
  );
}

function KeyList({ title, keys }: { title: string; keys: [key: string, means: string][] }) {
  return (
    <div className="grid gap-1">
      <p className="font-medium">{title}</p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {keys.map(([key, means]) => (
          <li key={key}>
            <kbd className={keyClasses}>{key}</kbd> {means}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface BriefSelectProps {
  id?: string;
  "aria-label"?: string;
  className?: string;
  value: LineBrief;
  onChange: (brief: LineBrief) => void;
}

/** What is announced on the line before each lead. */
export function BriefSelect({ value, onChange, ...props }: BriefSelectProps) {
  const t = useMessages(lineMessages);
  return (
    <Select<LineBrief>
      {...props}
      value={value}
      onValueChange={(brief) => {
        if (brief !== value) onChange(brief);
      }}
      options={lineBriefs.map((brief) => ({ value: brief, label: t(`brief_${brief}`) }))}
    />
  );
}

interface LineCallersProps {
  session: DialerSession;
  callers: readonly DialerCaller[];
}

/** Leads who called while their consultant was on the line, whose phone was therefore not rung; a button makes one the next lead. */
export function LineCallers({ session, callers }: LineCallersProps) {
  const t = useMessages(lineMessages);
  const take = useMoveNext(session.id);
  return (
    <ul aria-label={t("callers")} aria-live="polite" className="grid gap-2 empty:hidden">
      {callers.map(({ leadId, name, calledAt, state, isNext }) => (
        <li
          key={leadId}
          className="flex items-center gap-2 rounded-lg border border-primary/40 bg-primary-soft py-1.5 pr-1.5 pl-3 text-sm"
        >
          <PhoneIncoming aria-hidden className="size-4 shrink-0 text-primary-text" />
          <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {t(`caller_${state}`, { name })} <time dateTime={calledAt}>{formatTime(calledAt)}</time>
          </p>
          {isNext ? (
            <p className="px-2 font-medium">{t("comesNext")}</p>
          ) : (
            <Button
              size="sm"
              variant="secondary"
              aria-label={t("takeNextOf", { name })}
              pending={take.isPending && take.variables === leadId}
              onClick={() => take.mutate(leadId)}
            >
              {t("takeNext")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
