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
