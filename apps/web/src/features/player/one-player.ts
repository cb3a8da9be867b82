import { useSyncExternalStore } from "react";

interface Speaker {
  audio: HTMLAudioElement;
  url: string;
}

let playing: Speaker | null = null;
const listeners = new Set<() => void>();

function change(next: Speaker | null): void {
  playing = next;
  for (const listener of listeners) listener();
}

/** Gives this recording the loudspeaker: the one that has it is paused (specification §4: one plays at a time). */
export function takeLoudspeaker(audio: HTMLAudioElement, url: string): void {
  if (playing?.audio === audio) return;
  playing?.audio.pause();
  change({ audio, url });
}

export function leaveLoudspeaker(audio: HTMLAudioElement): void {
  if (playing?.audio === audio) change(null);
}

/** The address of the recording that has the loudspeaker, or null: a long list keeps its row, so that scrolling does not stop it. */
export function useLoudspeaker(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => playing?.url ?? null,
  );
}
