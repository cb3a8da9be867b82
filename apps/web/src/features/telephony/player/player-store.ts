import { createStore, useStore } from "../../../lib/store.ts";

export const speeds = [1, 1.25, 1.5, 2] as const;

/** Sound settings, shared by all players of the page. */
interface SoundSettings {
  /** 0 to 100. */
  readonly volume: number;
  readonly speed: (typeof speeds)[number];
}

const sound = createStore<SoundSettings>({ volume: 100, speed: 1 });

export function setSound(change: Partial<SoundSettings>): void {
  const volume = Math.min(100, Math.max(0, change.volume ?? sound.get().volume));
  sound.set({ ...sound.get(), ...change, volume });
}

/** Applies the settings to an element. iOS ignores the volume. */
export function applySound(audio: HTMLAudioElement): void {
  const { volume, speed } = sound.get();
  audio.volume = volume / 100;
  audio.defaultPlaybackRate = speed;
  audio.playbackRate = speed;
}

export const onSoundChange = sound.subscribe;

export function useSound(): SoundSettings {
  return useStore(sound);
}

interface Speaker {
  audio: HTMLAudioElement;
  url: string;
}

const playing = createStore<Speaker | null>(null);

/** Starts a recording's turn to play: pauses the one that was playing. */
export function claimLoudspeaker(audio: HTMLAudioElement, url: string): void {
  const speaker = playing.get();
  if (speaker?.audio === audio) return;
  speaker?.audio.pause();
  playing.set({ audio, url });
}

export function leaveLoudspeaker(audio: HTMLAudioElement): void {
  if (playing.get()?.audio === audio) playing.set(null);
}

/** The address of the playing recording, or null. Long lists keep its row mounted, so that scrolling does not stop it. */
export function useLoudspeaker(): string | null {
  return useStore(playing, (speaker) => speaker?.url ?? null);
}
