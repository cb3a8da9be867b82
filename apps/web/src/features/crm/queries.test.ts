import { describe, expect, it } from "vitest";
import { idleSync, type SyncAction, syncReducer } from "./queries.ts";

const play = (...actions: SyncAction[]) => actions.reduce(syncReducer, idleSync);

describe("the sync state", () => {
  it("syncs leads first, then recordings, and returns to idle", () => {
    const leads = play({ type: "started" });
    const recordings = syncReducer(leads, { type: "leadsDone", issues: [] });
    expect([leads.phase, recordings.phase, syncReducer(recordings, { type: "stopped" }).phase]).toEqual([
      "syncing-leads",
      "syncing-recordings",
      "idle",
    ]);
  });

  it("stays in the leads phase while the run continues on the server", () => {
    expect(play({ type: "started" }, { type: "continues", runId: 4 })).toMatchObject({
      phase: "syncing-leads",
      runId: 4,
    });
  });

  it("handles the end of a run once, however often it is reported", () => {
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
