import { callOutcomes } from "@portal/contract/entities/call";
import type { DialerSession } from "@portal/contract/entities/dialer";
import { type LineBrief, lineBriefs } from "@portal/contract/entities/line";
import { Phone } from "lucide-react";
import { formatDuration } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Select } from "../../../ui/select.tsx";
import { outcomeMessages } from "../../telephony/call/messages.ts";
import { lineMessages } from "../line-messages.ts";
import { useDialerBrief } from "../queries.ts";
import { useServerNow } from "../session-query.ts";

interface LineStripProps {
  session: DialerSession;
  clockOffset: number;
}

/** The consultant's open line while it stands: for how long, what is said on it, and the keys of the phone. */
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

/** What the keys of the phone do, behind one press. */
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

/** What is said on the line before each lead. */
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
