import { createStore, useStore } from "../../../lib/store.ts";

export const speeds = [1, 1.25, 1.5, 2] as const;

/** How recordings sound, the same for every player of the page. */
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

/** Makes an element sound as set. iOS keeps the volume to itself. */
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

/** Gives this recording the loudspeaker: the one that has it is paused. */
export function claimLoudspeaker(audio: HTMLAudioElement, url: string): void {
  const speaker = playing.get();
  if (speaker?.audio === audio) return;
  speaker?.audio.pause();
  playing.set({ audio, url });
}

export function leaveLoudspeaker(audio: HTMLAudioElement): void {
  if (playing.get()?.audio === audio) playing.set(null);
}

/** The address of the recording that has the loudspeaker, or null: a long list keeps its row, so that scrolling does not stop it. */
export function useLoudspeaker(): string | null {
  return useStore(playing, (speaker) => speaker?.url ?? null);
}
