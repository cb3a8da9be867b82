import { limits } from "@portal/contract/limits";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { useEffect, useReducer, useRef } from "react";
import { ApiError, answersOk, callRoute } from "../../../lib/api.ts";
import { applySound, claimLoudspeaker, leaveLoudspeaker, onSoundChange } from "./player-store.ts";

/** Faults of a recording. Those of media are the recorded error codes. */
export type AudioFault =
  | "aborted"
  | "network"
  | "decode"
  | "unsupported"
  | "unknown"
  | "timeout"
  | "playback"
  | "signed_out"
  | "check_failed";

/** State of the recording player: idle, loading, playing, paused or error. Times in seconds. */
export interface AudioState {
  readonly status: "idle" | "loading" | "playing" | "paused" | "error";
  readonly fault: AudioFault | null;
  readonly position: number;
  readonly length: number;
}

export type AudioAction =
  | { readonly type: "requested" }
  | { readonly type: "playing" }
  | { readonly type: "paused" }
  | { readonly type: "finished" }
  | { readonly type: "moved"; readonly position: number }
  | { readonly type: "measured"; readonly length: number }
  | { readonly type: "failed"; readonly fault: AudioFault };

export const idleAudio: AudioState = { status: "idle", fault: null, position: 0, length: 0 };

export function audioReducer(state: AudioState, action: AudioAction): AudioState {
  switch (action.type) {
    case "requested":
      return { ...state, status: "loading", fault: null };
    case "playing":
      return { ...state, status: "playing", fault: null };
    case "paused":
      return state.status === "playing" || state.status === "loading"
        ? { ...state, status: "paused" }
        : state;
    case "finished":
      return { ...state, status: "idle", position: 0 };
    case "moved":
      return { ...state, position: action.position };
    case "measured":
      return Number.isFinite(action.length) ? { ...state, length: action.length } : state;
    case "failed":
      return { ...idleAudio, status: "error", fault: action.fault };
  }
}

const mediaFaults: Readonly<Record<number, AudioFault>> = {
  1: "aborted",
  2: "network",
  3: "decode",
  4: "unsupported",
};

/** The fault of an audio element's error code (MediaError.code, 1 to 4). */
export function mediaFault(code: number | undefined): AudioFault {
  return (code !== undefined && mediaFaults[code]) || "unknown";
}

/**
 * Plays one recording: checks the session, loads within 5 s, plays, pauses, seeks. Nothing is loaded before the first press. The element is
 * created on demand, so that a page of fifty rows does not hold fifty audio elements.
 */
export function useAudioPlayer(url: string) {
  const [state, dispatch] = useReducer(audioReducer, idleAudio);
  const element = useRef<HTMLAudioElement | null>(null);
  const attempt = useRef(0);
  const isLoaded = useRef(false);

  useEffect(
    () =>
      onSoundChange(() => {
        if (element.current) applySound(element.current);
      }),
    [],
  );

  useEffect(
    () => () => {
      attempt.current += 1;
      if (element.current) release(element.current);
      element.current = null;
    },
    [],
  );

  function prepare(): HTMLAudioElement {
    const audio = new Audio();
    audio.preload = "auto";
    audio.ontimeupdate = () => dispatch({ type: "moved", position: audio.currentTime });
    audio.ondurationchange = () => dispatch({ type: "measured", length: audio.duration });
    audio.onpause = () => {
      if (!audio.ended) dispatch({ type: "paused" });
    };
    audio.onplaying = () => dispatch({ type: "playing" });
    audio.onended = () => {
      audio.currentTime = 0;
      leaveLoudspeaker(audio);
      dispatch({ type: "finished" });
    };
    audio.src = url;
    applySound(audio);
    element.current = audio;
    // Loading starts within the press, as Safari requires; the session is checked at the same time, and its result comes first.
    audio.load();
    return audio;
  }

  async function play(): Promise<void> {
    attempt.current += 1;
    const own = attempt.current;
    dispatch({ type: "requested" });
    if (element.current?.error) drop();
    // Pausing while loading and playing again waits another 5 s.
    const loaded = isLoaded.current ? Promise.resolve(null) : loading(element.current ?? prepare());
    let fault = (await loginFault()) ?? (await loaded);
    if (fault === "unsupported" && own === attempt.current) {
      // Browsers report every refusal of the server like this. A temporary one that has ended is retried.
      drop();
      if (!(await isServed(url))) fault = "network";
      else if (own === attempt.current) fault = await loading(prepare());
    }
    if (own !== attempt.current) return;
    const audio = element.current;
    if (fault || !audio) return fail(fault ?? "unknown");
    isLoaded.current = true;
    claimLoudspeaker(audio, url);
    // The rest of the recording may fail to load.
    audio.onerror = () => fail(mediaFault(audio.error?.code));
    try {
      await audio.play();
    } catch (error) {
      // A pause right after the press rejects the promise with AbortError, which is not an error here.
      if (own === attempt.current && !(error instanceof DOMException && error.name === "AbortError")) {
        fail("playback");
      }
    }
  }

  function drop(): void {
    if (element.current) release(element.current);
    element.current = null;
    isLoaded.current = false;
  }

  function fail(fault: AudioFault): void {
    drop();
    dispatch({ type: "failed", fault });
  }

  function pause(): void {
    attempt.current += 1;
    element.current?.pause();
    dispatch({ type: "paused" });
  }

  function seek(position: number): void {
    if (element.current) element.current.currentTime = position;
    dispatch({ type: "moved", position });
  }

  return { state, play, pause, seek };
}

async function loginFault(): Promise<AudioFault | null> {
  try {
    return (await checkSignedIn()) ? null : "signed_out";
  } catch {
    return "check_failed";
  }
}

/** Resolves with null once the recording can play, or with its fault. */
function loading(audio: HTMLAudioElement): Promise<AudioFault | null> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const timer = setTimeout(() => settle("timeout"), limits.audioLoadTimeoutMs);
    const settle = (fault: AudioFault | null) => {
      clearTimeout(timer);
      over.abort();
      resolve(fault);
    };
    audio.addEventListener("canplay", () => settle(null), over);
    audio.addEventListener("error", () => settle(mediaFault(audio.error?.code)), over);
  });
}

/** Stops playing and downloading. */
function release(audio: HTMLAudioElement): void {
  leaveLoudspeaker(audio);
  audio.ontimeupdate = audio.ondurationchange = audio.onpause = audio.onplaying = audio.onended = null;
  audio.onerror = null;
  audio.pause();
  audio.removeAttribute("src");
  audio.load();
}

/** Whether the session is valid, by a request. Throws if the server cannot be reached. */
async function checkSignedIn(): Promise<boolean> {
  try {
    await callRoute(getCurrentUser);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

/** Whether the server serves a recording: false if it refuses, does not respond within the loading time, or cannot be reached. */
async function isServed(url: string): Promise<boolean> {
  try {
    return await answersOk(url, AbortSignal.timeout(limits.audioLoadTimeoutMs));
  } catch {
    return false;
  }
}
