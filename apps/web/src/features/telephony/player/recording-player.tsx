import type { CallLog } from "@portal/contract/entities/call";
import { AudioLines, CircleAlert, Pause, Play, RotateCcw } from "lucide-react";
import { type KeyboardEvent, Suspense, useId } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatDuration } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button, Spinner } from "../../../ui/button.tsx";
import { playerMessages } from "./messages.ts";
import { type AudioFault, useAudioPlayer } from "./use-audio-player.ts";

const SoundControls = lateComponent(() => import("./sound-controls.tsx"));

/** Seconds that an arrow key seeks. */
const jumpSeconds = 5;

interface RecordingPlayerProps {
  kind: "aiRecording" | "callRecording" | "voicemail";
  /** Path of this server that streams the recording. */
  url: string;
  /** The lead's name, for the labels of the controls. */
  name: string;
  /** Duration in seconds from the list, shown until the audio's own is known. */
  seconds?: number | null;
  /** Show volume, speed and hint before anything plays. */
  expanded?: boolean;
  /** The address for downloading the recording. */
  downloadUrl?: string;
}

/** The player of AI calls, call recordings and voicemails. */
export function RecordingPlayer(props: RecordingPlayerProps) {
  const { kind, url, name, seconds, expanded = false, downloadUrl } = props;
  const t = useMessages(playerMessages);
  const label = useId();
  const { state, play, pause, seek } = useAudioPlayer(url);
  const { status, fault, position } = state;
  const length = state.length || (seconds ?? 0);
  const playing = status === "playing";
  const loading = status === "loading";
  const action = loading ? t("loading") : playing ? t("pause") : fault ? t("retry") : t("play");
  const toggle = () => (playing || loading ? pause() : void play());

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement)) return;
    const isSlider = target instanceof HTMLInputElement;
    if (target.closest("[role=combobox], [role=listbox]") || (isSlider && target.name === "volume")) return;
    if (key === " " && isSlider) toggle();
    else if (key === "ArrowLeft" && state.length > 0) seek(Math.max(0, position - jumpSeconds));
    else if (key === "ArrowRight" && state.length > 0) seek(Math.min(state.length, position + jumpSeconds));
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields; these are a player's controls.
    <div
      role="group"
      aria-labelledby={label}
      onKeyDown={onKeyDown}
      className="grid min-w-0 gap-1 rounded-lg bg-muted/70 p-2"
    >
      <div className="flex items-center gap-2.5">
        <Button
          variant="secondary"
          size="icon-sm"
          className="rounded-full"
          aria-label={action}
          aria-describedby={label}
          aria-busy={loading || undefined}
          onClick={toggle}
        >
          <PlayerIcon loading={loading} playing={playing} failed={fault !== null} />
        </Button>
        <div className="grid min-w-0 flex-1 gap-0.5">
          <span id={label} className="flex items-center gap-1.5 text-muted-foreground text-xs">
            <AudioLines aria-hidden className="size-3.5" />
            {t(kind)} <span className="sr-only">{name}</span>
          </span>
          <input
            type="range"
            aria-label={t("position")}
            aria-describedby={label}
            aria-valuetext={t("positionValue", {
              position: formatDuration(position),
              length: formatDuration(length),
            })}
            min={0}
            max={length || 1}
            step={1}
            value={Math.min(position, length || 1)}
            disabled={state.length === 0}
            onChange={(event) => seek(Number(event.target.value))}
            className="h-4 w-full accent-primary disabled:opacity-40 pointer-coarse:-my-2.5 pointer-coarse:h-11"
          />
        </div>
        <span className="self-end pb-0.5 text-muted-foreground text-xs tabular-nums">
          {formatDuration(position)} / {length ? formatDuration(length) : "-:--"}
        </span>
      </div>
      {fault ? (
        <p role="alert" className="flex items-start gap-1.5 px-1 pb-0.5 text-danger-text text-xs">
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <FaultText fault={fault} />
        </p>
      ) : null}
      {expanded || status !== "idle" || state.length > 0 ? (
        <Suspense fallback={<div className="h-8" />}>
          <SoundControls hint={expanded} downloadUrl={downloadUrl} name={name} />
        </Suspense>
      ) : null}
    </div>
  );
}

function PlayerIcon({ loading, playing, failed }: { loading: boolean; playing: boolean; failed: boolean }) {
  if (loading) return <Spinner decorative />;
  if (playing) return <Pause aria-hidden className="fill-current" />;
  return failed ? <RotateCcw aria-hidden /> : <Play aria-hidden className="fill-current" />;
}

const explainedFaults: readonly AudioFault[] = ["timeout", "playback", "signed_out", "check_failed"];

function FaultText({ fault }: { fault: AudioFault }) {
  const t = useMessages(playerMessages);
  if (explainedFaults.includes(fault)) return <span>{t(fault)}</span>;
  return (
    <span>
      {t("loadError")}: {t(fault)}
    </span>
  );
}

const noTranscriptionMessages = defineMessages("no-transcription", {
  language: [
    "Not written down: only messages in English are.",
    "Sin texto: solo se ponen por escrito los mensajes en inglés.",
  ],
  off: [
    "Not written down: voicemail transcription is off in the consultant's settings.",
    "Sin texto: la transcripción está desactivada en la configuración del consultor.",
  ],
  not_understood: [
    "Not written down: the provider understood no words.",
    "Sin texto: el proveedor no entendió ninguna palabra.",
  ],
});

/** Why a voicemail has no transcription; nothing if it has one, or may still get one. */
export function NoTranscription({
  reason,
  className,
}: {
  reason: CallLog["noTranscription"];
  className?: string;
}) {
  const t = useMessages(noTranscriptionMessages);
  return reason ? <p className={cn("text-muted-foreground text-sm", className)}>{t(reason)}</p> : null;
}
