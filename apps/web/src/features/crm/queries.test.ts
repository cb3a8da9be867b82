import { describe, expect, it } from "vitest";
import { idleSync, type SyncAction, syncReducer } from "./queries.ts";

const play = (...actions: SyncAction[]) => actions.reduce(syncReducer, idleSync);

describe("a sync", () => {
  it("takes the leads first, then the recordings, then rests", () => {
    const leads = play({ type: "started" });
    const recordings = syncReducer(leads, { type: "leadsDone", issues: [] });
    expect([leads.phase, recordings.phase, syncReducer(recordings, { type: "stopped" }).phase]).toEqual([
      "syncing-leads",
      "syncing-recordings",
      "idle",
    ]);
  });

  it("stays with the leads while the run goes on at the server", () => {
    expect(play({ type: "started" }, { type: "continues", runId: 4 })).toMatchObject({
      phase: "syncing-leads",
      runId: 4,
    });
  });

  it("takes the end of a run once, however often it is reported", () => {
    const done = play({ type: "started" }, { type: "leadsDone", issues: ["x"] }, { type: "stopped" });
    expect(syncReducer(done, { type: "leadsDone", issues: [] })).toBe(done);
  });

  it("keeps the issues until they are read or the next run starts", () => {
    const done = play({ type: "started" }, { type: "leadsDone", issues: ["no name"] }, { type: "stopped" });
    expect(done.issues).toEqual(["no name"]);
    expect(syncReducer(done, { type: "issuesRead" }).issues).toEqual([]);
    expect(syncReducer(done, { type: "started" }).issues).toEqual([]);
  });
});
