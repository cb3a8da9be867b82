import { describe, expect, it } from "vitest";
import { type AudioAction, audioReducer, idleAudio, mediaFault } from "./use-audio-player.ts";

const play = (...actions: AudioAction[]) => actions.reduce(audioReducer, idleAudio);

describe("the audio state", () => {
  it("goes from idle through loading and playing to paused", () => {
    expect(play({ type: "requested" }).status).toBe("loading");
    expect(play({ type: "requested" }, { type: "playing" }).status).toBe("playing");
    expect(play({ type: "requested" }, { type: "playing" }, { type: "paused" }).status).toBe("paused");
  });

  it("returns to idle at the start when the recording ends", () => {
    const state = play(
      { type: "requested" },
      { type: "playing" },
      { type: "moved", position: 9 },
      { type: "finished" },
    );
    expect(state).toMatchObject({ status: "idle", position: 0 });
  });

  it("keeps an error when the browser pauses the element afterwards", () => {
    const state = play({ type: "requested" }, { type: "failed", fault: "network" }, { type: "paused" });
    expect(state).toMatchObject({ status: "error", fault: "network" });
  });

  it("clears the error when playing is requested again", () => {
    expect(play({ type: "failed", fault: "timeout" }, { type: "requested" }).fault).toBeNull();
  });

  it.each([
    [1, "aborted"],
    [2, "network"],
    [3, "decode"],
    [4, "unsupported"],
    [9, "unknown"],
    [undefined, "unknown"],
  ])("maps media error code %s to %s", (code, fault) => {
    expect(mediaFault(code)).toBe(fault);
  });
});
