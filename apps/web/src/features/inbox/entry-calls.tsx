import type { InboxEntry } from "@portal/contract/entities/inbox";
import { getRecording } from "@portal/contract/routes/recordings";
import { PhoneMissed, Voicemail } from "lucide-react";
import { routeUrl } from "../../lib/api.ts";
import { RelativeTime } from "../../lib/clock.tsx";
import { useMessages } from "../../lib/i18n.ts";
import { NoTranscription, RecordingPlayer } from "../telephony/player/recording-player.tsx";
import { inboxPageMessages } from "./messages.ts";

/** The missed calls of an entry, with voicemails. */
export function EntryCalls({ calls, name }: { calls: InboxEntry["calls"]; name: string }) {
  const t = useMessages(inboxPageMessages);
  if (calls.length === 0) return null;
  return (
    <section
      aria-label={t("calls")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
      tabIndex={0}
      className="max-h-56 shrink-0 overflow-y-auto border-t px-5 py-3 outline-offset-[-2px] sm:px-6"
    >
      <ul className="grid grid-cols-1 gap-3">
        {calls.map((call) => {
          const isVoicemail = call.result === "voicemail";
          const Icon = isVoicemail ? Voicemail : PhoneMissed;
          return (
            <li key={call.id} className="grid grid-cols-1 gap-1.5 text-sm">
              <p className="flex items-center gap-2">
                <Icon aria-hidden className="size-4 shrink-0 text-danger-text" />
                <span className="font-medium">{t(isVoicemail ? "voicemail" : "missedCall")}</span>
                <time dateTime={call.startedAt} className="text-muted-foreground text-xs">
                  <RelativeTime at={call.startedAt} />
                </time>
              </p>
              {call.transcription ? (
                <p dir="auto" className="[overflow-wrap:anywhere]">
                  {call.transcription}
                </p>
              ) : null}
              <NoTranscription reason={call.noTranscription} className="text-xs" />
              {call.recordingSid ? (
                <RecordingPlayer
                  kind="voicemail"
                  url={routeUrl(getRecording, { params: { recordingSid: call.recordingSid } })}
                  name={name}
                  seconds={call.recordingSeconds}
                />
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
