import { AudioLines, CircleAlert, Pause, Play, RotateCcw } from "lucide-react";
import { useId } from "react";
import { formatDuration } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { AudioFault } from "../audio-state.ts";
import { audioTexts } from "../texts.ts";
import { useAudioPlayer } from "../use-audio-player.ts";

interface AiRecordingPlayerProps {
  /** Path of this server that streams the recording. */
  url: string;
  /** Whose recording, for the name of the controls. */
  name: string;
}

/** Plays the AI agent's call with a lead (specification §4, AI recording playback). */
export function AiRecordingPlayer({ url, name }: AiRecordingPlayerProps) {
  const t = useTexts(audioTexts);
  const label = useId();
  const { state, play, pause, seek } = useAudioPlayer(url);
  const { status, fault, position, length } = state;
  const playing = status === "playing";
  const loading = status === "loading";
  const action = loading ? t("loading") : playing ? t("pause") : fault ? t("retry") : t("play");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields; these are a player's controls.
    <div role="group" aria-labelledby={label} className="grid gap-1 rounded-lg bg-muted/70 p-2">
      <div className="flex items-center gap-2.5">
        <Button
          variant="secondary"
          size="icon-sm"
          className="rounded-full"
          aria-label={action}
          aria-busy={loading || undefined}
          onClick={() => (playing || loading ? pause() : void play())}
        >
          <PlayerIcon loading={loading} playing={playing} failed={fault !== null} />
        </Button>
        <div className="grid min-w-0 flex-1 gap-0.5">
          <span id={label} className="flex items-center gap-1.5 text-muted-foreground text-xs">
            <AudioLines aria-hidden className="size-3.5" />
            {t("label")}
            <span className="sr-only">{name}</span>
          </span>
          <input
            type="range"
            aria-label={t("position")}
            aria-valuetext={t("positionValue", {
              position: formatDuration(position),
              length: formatDuration(length),
            })}
            min={0}
            max={length || 1}
            step={1}
            value={Math.min(position, length || 1)}
            disabled={length === 0}
            onChange={(event) => seek(Number(event.target.value))}
            className="h-4 w-full accent-primary disabled:opacity-40 pointer-coarse:h-6"
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
    </div>
  );
}

function PlayerIcon({ loading, playing, failed }: { loading: boolean; playing: boolean; failed: boolean }) {
  if (loading) return <Spinner decorative />;
  if (playing) return <Pause aria-hidden className="fill-current" />;
  return failed ? <RotateCcw aria-hidden /> : <Play aria-hidden className="fill-current" />;
}

const ownWords: readonly AudioFault[] = ["timeout", "playback", "signed_out", "check_failed"];

function FaultText({ fault }: { fault: AudioFault }) {
  const t = useTexts(audioTexts);
  if (ownWords.includes(fault)) return <span>{t(fault)}</span>;
  return (
    <span>
      {t("loadError")}: {t(fault)}
    </span>
  );
}
