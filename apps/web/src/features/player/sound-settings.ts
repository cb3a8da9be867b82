import { useSyncExternalStore } from "react";

export const speeds = [1, 1.25, 1.5, 2] as const;

/** How recordings sound, the same for every player of the page. */
export interface SoundSettings {
  /** 0 to 100 (specification §9). */
  readonly volume: number;
  readonly speed: (typeof speeds)[number];
}

let current: SoundSettings = { volume: 100, speed: 1 };
const listeners = new Set<() => void>();

export function setSound(change: Partial<SoundSettings>): void {
  const volume = Math.min(100, Math.max(0, change.volume ?? current.volume));
  current = { ...current, ...change, volume };
  for (const listener of listeners) listener();
}

/** Makes an element sound as set. iOS keeps the volume to itself. */
export function applySound(audio: HTMLAudioElement): void {
  audio.volume = current.volume / 100;
  audio.defaultPlaybackRate = current.speed;
  audio.playbackRate = current.speed;
}

export function onSoundChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSound(): SoundSettings {
  return useSyncExternalStore(onSoundChange, () => current);
}
