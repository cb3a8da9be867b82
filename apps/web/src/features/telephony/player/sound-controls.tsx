import { Download, Volume1, Volume2, VolumeX } from "lucide-react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/select.tsx";
import { soundMessages } from "./messages.ts";
import { setSound, speeds, useSound } from "./player-store.ts";

interface SoundControlsProps {
  /** Show what to check if nothing can be heard. */
  hint: boolean;
  downloadUrl: string | undefined;
  name: string;
}

/** Volume 0-100 %, speed, and download. Loaded when a player first needs it. */
export default function SoundControls({ hint, downloadUrl, name }: SoundControlsProps) {
  const t = useMessages(soundMessages);
  const { volume, speed } = useSound();
  const Icon = volume === 0 ? VolumeX : volume < 50 ? Volume1 : Volume2;
  return (
    <div className="grid gap-1.5 px-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted-foreground text-xs">
        <span className="flex min-w-32 max-w-64 flex-1 items-center gap-1.5">
          <Icon aria-hidden className="size-4 shrink-0" />
          <input
            type="range"
            name="volume"
            aria-label={t("volume")}
            aria-valuetext={t("volumeValue", { percent: volume })}
            min={0}
            max={100}
            step={5}
            value={volume}
            onChange={(event) => setSound({ volume: Number(event.target.value) })}
            className="h-4 min-w-0 flex-1 accent-primary pointer-coarse:h-11"
          />
          <span aria-hidden className="w-10 text-right tabular-nums">
            {t("volumeValue", { percent: volume })}
          </span>
        </span>
        <Select
          aria-label={t("speed")}
          value={String(speed)}
          onValueChange={(next) => {
            const chosen = speeds.find((each) => String(each) === next);
            if (chosen) setSound({ speed: chosen });
          }}
          options={speeds.map((each) => ({ value: String(each), label: t("speedValue", { speed: each }) }))}
          className="h-8 w-auto gap-1 px-2 text-xs tabular-nums"
        />
        {downloadUrl ? (
          <Button asChild variant="secondary" size="sm">
            <a href={downloadUrl} target="_blank" rel="noreferrer">
              <Download aria-hidden />
              {t("download")} <span className="sr-only">{name}</span>
            </a>
          </Button>
        ) : null}
      </div>
      {hint ? <p className="text-muted-foreground text-xs">{t("silentHint")}</p> : null}
    </div>
  );
}
