import type { CallLog } from "@portal/contract/entities/call";
import { Check, Undo2 } from "lucide-react";
import { formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { RecordingPlayer } from "../../player/recording-player.tsx";
import { callerName } from "../caller-name.ts";
import { recordingUrl } from "../recording-url.ts";
import { historyTexts } from "../texts.ts";
import { CallBackButton } from "./call-back-button.tsx";
import { StrangerActions } from "./stranger-actions.tsx";

interface MissedCallRowProps {
  log: CallLog;
  /** It was just taken off the list, and can be put back. */
  isDone: boolean;
  pending: boolean;
  onSettle: (done: boolean) => void;
}

/** One missed call: who, when, what they left on the voicemail; called back, or done without. */
export function MissedCallRow({ log, isDone, pending, onSettle }: MissedCallRowProps) {
  const t = useTexts(historyTexts);
  const name = callerName(log, t);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 py-2.5 text-sm last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <p className="truncate font-medium">{name}</p>
          <p className="text-muted-foreground text-xs">
            {log.leadId === null ? `${t("unknownCaller")} · ` : null}
            {formatRelative(log.callDate)}
            {isDone ? ` · ${t("missedOff")}` : null}
          </p>
          {log.transcription ? (
            <p className="mt-0.5 line-clamp-2 break-words text-xs">{log.transcription}</p>
          ) : null}
        </div>
        <div className="flex flex-wrap gap-2">
          {isDone ? null : <Actions log={log} name={name} />}
          {/* One button that is never disabled, so that the focus stays where it is. */}
          <Button
            size="sm"
            variant="secondary"
            aria-busy={pending || undefined}
            onClick={() => (pending ? undefined : onSettle(!isDone))}
          >
            <SettleIcon isDone={isDone} pending={pending} />
            {isDone ? t("missedUndo") : t("missedDone")} <span className="sr-only">{name}</span>
          </Button>
        </div>
      </div>
      {log.recordingSid && !isDone ? (
        <RecordingPlayer
          kind="voicemail"
          url={recordingUrl(log.recordingSid)}
          name={name}
          seconds={log.duration}
        />
      ) : null}
    </li>
  );
}

function SettleIcon({ isDone, pending }: { isDone: boolean; pending: boolean }) {
  if (pending) return <Spinner decorative />;
  return isDone ? <Undo2 aria-hidden /> : <Check aria-hidden />;
}

function Actions({ log, name }: { log: CallLog; name: string }) {
  if (log.leadId !== null) return <CallBackButton leadId={log.leadId} name={name} />;
  return log.callerNumber ? <StrangerActions number={log.callerNumber} /> : null;
}
