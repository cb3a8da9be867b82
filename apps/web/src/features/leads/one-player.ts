let playing: HTMLAudioElement | null = null;

/** Gives this recording the loudspeaker: the one that has it is paused (specification §4: one plays at a time). */
export function takeLoudspeaker(audio: HTMLAudioElement): void {
  if (playing !== audio) playing?.pause();
  playing = audio;
}

export function leaveLoudspeaker(audio: HTMLAudioElement): void {
  if (playing === audio) playing = null;
}
