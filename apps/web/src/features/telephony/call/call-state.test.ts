import type { Call } from "@portal/contract/entities/call";
import { describe, expect, it } from "vitest";
import { messagesOf } from "../../../lib/i18n.ts";
import { buildCall } from "../../../testing/lead-builders.ts";
import {
  type CallDialogAction,
  type CallDialogState,
  callDialogReducer,
  idleCall,
  leadNeverRung,
  losesNotes,
  savesOnClose,
  secondsUntilDialled,
  talkSeconds,
  timerSeconds,
} from "./call-state.ts";
import { callDialogMessages } from "./dialog-messages.ts";
import { callProgress } from "./progress-values.ts";

const start = Date.parse("2026-11-20T10:00:00.000Z");
const lead = { id: 7, name: "Inés Duarte", company: null, phone: "+13055550107" };

function play(...actions: CallDialogAction[]): CallDialogState {
  return actions.reduce(callDialogReducer, idleCall);
}

const started: CallDialogAction = { type: "started", lead };
const accepted: CallDialogAction = { type: "accepted", callId: 31, callSid: "CA31", at: start };
const reported = (overrides: Partial<Call>, at = start + 2_000): CallDialogAction => ({
  type: "reported",
  call: buildCall({ now: new Date(at).toISOString(), ...overrides }),
  at,
});
const leadRingingAt = new Date(start + 8_000).toISOString();

describe("the call dialog", () => {
  it("goes from idle through connecting to live once the request is accepted", () => {
    expect(play(started).phase).toBe("connecting");
    expect(play(started, accepted)).toMatchObject({ phase: "live", callId: 31, callSid: "CA31", open: true });
  });

  it("ignores a second start while the first request is pending", () => {
    const state = play(started);
    expect(callDialogReducer(state, { type: "started", lead: { ...lead, id: 8 } })).toBe(state);
  });

  it("returns to idle with the reason when the request is refused", () => {
    const state = play(started, { type: "refused", message: "You are already on a call." });
    expect(state).toMatchObject({ phase: "idle", open: true, refusal: "You are already on a call." });
    expect(timerSeconds(state, start + 5_000)).toBe(0);
  });

  it("never moves a call backwards when events arrive out of order", () => {
    const state = play(started, accepted, reported({ state: "in_progress", leadRingingAt }));
    expect(callDialogReducer(state, reported({ state: "ringing_rep" })).call?.state).toBe("in_progress");
  });

  // Regression: when the provider failed to end the call, the phone rang until the next try, and the dialog asked again to end it.
  it("shows that the call is ending until the provider has ended it, and allows another try", () => {
    const state = play(started, accepted, { type: "ending" }, reported({ ending: true }), {
      type: "endingFailed",
    });
    const title = (seen: CallDialogState) => callProgress(seen, start, messagesOf(callDialogMessages)).title;
    expect(title(state)).toBe("Ending the call…");
    expect(state.ending).toBe(false);
    expect(title(callDialogReducer(state, reported({ state: "ended" })))).toBe("Call ended");
  });

  it("shows an outcome set by a key of the phone, and saves notes with it on close", () => {
    const ended = reported({ state: "ended", result: "busy", leadRingingAt, givenOutcome: "no_answer" });
    const state = play(started, accepted, ended);
    expect(state).toMatchObject({ outcome: "no_answer", chosen: false });
    expect(savesOnClose(state, start + 20_000)).toBe(false);
    const noted = callDialogReducer(state, { type: "notesTyped", notes: "Try at noon" });
    expect(savesOnClose(noted, start + 20_000)).toBe(true);
    expect(
      callDialogReducer(play(started, accepted, { type: "outcomeChosen", outcome: "answered" }), ended),
    ).toMatchObject({
      outcome: "answered",
      chosen: true,
    });
  });

  it("ignores events of another call", () => {
    const state = play(started, accepted);
    expect(callDialogReducer(state, reported({ id: 99, state: "ended" }))).toBe(state);
  });

  it("starts the timer at the accepted request and freezes it at the end", () => {
    const live = play(started, accepted);
    expect(timerSeconds(live, start + 12_900)).toBe(12);
    const ended = callDialogReducer(
      live,
      reported({ state: "ended", endedAt: new Date(start + 14_000).toISOString() }, start + 20_000),
    );
    expect(timerSeconds(ended, start + 60_000)).toBe(14);
  });

  it("counts at least one second for a call that was accepted and ended at once", () => {
    const state = play(started, accepted, reported({ state: "ended" }, start));
    expect(timerSeconds(state, start)).toBe(1);
  });

  it("counts talk time from the lead's answer by the server's clock, then shows the provider's figure", () => {
    const answeredAt = new Date(start + 10_000).toISOString();
    const slowBrowser = start - 3_600_000;
    const talking = play(started, accepted, {
      type: "reported",
      call: buildCall({
        state: "in_progress",
        leadRingingAt,
        answeredAt,
        answeredBy: "person",
        now: new Date(start + 12_000).toISOString(),
      }),
      at: slowBrowser,
    });
    const talk = ({ call, clockOffset }: CallDialogState, now: number) =>
      talkSeconds(call, now + clockOffset);
    expect(talk(talking, slowBrowser + 5_000)).toBe(7);
    const ended = callDialogReducer(talking, reported({ state: "ended", answeredAt, talkSeconds: 5 }));
    expect(talk(ended, start + 90_000)).toBe(5);
  });

  it("shows that the answer is being checked, without talk time or a suggestion", () => {
    const t = messagesOf(callDialogMessages);
    const answered = { leadRingingAt, answeredAt: leadRingingAt };
    const seen = (call: Parameters<typeof buildCall>[0]) => {
      const state = play(started, accepted, reported({ ...answered, ...call }));
      const { title, hint } = callProgress(state, start, t);
      return [title, hint, talkSeconds(state.call, start + 90_000) !== null, state.outcome];
    };
    const ended = { state: "ended", result: "answered" } as const;
    expect(seen({ state: "in_progress" })).toEqual([t("checking"), t("checkingHint"), false, null]);
    expect(seen({ state: "in_progress", answeredBy: "machine" })).toEqual([
      "A machine answered",
      "A voicemail or another machine speaks for Inés Duarte.",
      true,
      null,
    ]);
    expect(seen({ state: "in_progress", answeredBy: "unknown" })[1]).toContain("could not be told");
    expect(seen({ state: "in_progress", answeredBy: "not_asked" })).toEqual([
      "In progress",
      "On the line with Inés Duarte's phone. Machine detection is off: you hear who answered.",
      true,
      null,
    ]);
    expect(seen({ state: "ended", result: "unclear", answeredBy: "not_asked", talkSeconds: 9 })).toEqual([
      "Call ended",
      "Only you know how it went: choose the outcome.",
      true,
      null,
    ]);
    expect(seen(ended)).toEqual(["Call ended", "Answered, checking who", false, null]);
    expect(seen({ ...ended, answeredBy: "person", talkSeconds: 2 })).toEqual([
      "Call ended",
      "The lead answered.",
      true,
      "answered",
    ]);
  });

  it("shows no talk time if nobody answered", () => {
    const busy = reported({ state: "ended", result: "busy", leadRingingAt, talkSeconds: 0 });
    expect(talkSeconds(play(started, accepted, busy).call, start + 9_000)).toBeNull();
  });

  it("shows the wait while the account's rate limit delays the call", () => {
    const dialsAt = new Date(start + 5_000).toISOString();
    const state = play(started, accepted, reported({ state: "requested", dialsAt }));
    expect(secondsUntilDialled(state, start + 2_000)).toBe(3);
    expect(secondsUntilDialled(state, start + 9_000)).toBe(0);
  });

  it("preselects the provider's result, but never over the user's choice", () => {
    const ended = reported({ state: "ended", result: "voicemail", leadRingingAt });
    expect(play(started, accepted, ended).outcome).toBe("voicemail");
    const chosen: CallDialogAction = { type: "outcomeChosen", outcome: "wrong_number" };
    expect(play(started, accepted, chosen, ended).outcome).toBe("wrong_number");
  });

  it("saves a log on close only with a timer above zero and an outcome", () => {
    const chosen: CallDialogAction = { type: "outcomeChosen", outcome: "answered" };
    expect(savesOnClose(play(started, chosen), start + 5_000)).toBe(false);
    expect(savesOnClose(play(started, accepted), start + 5_000)).toBe(false);
    expect(savesOnClose(play(started, accepted, chosen), start)).toBe(false);
    expect(savesOnClose(play(started, accepted, chosen), start + 5_000)).toBe(true);
  });

  it("saves no log on close if the outcome is only the provider's", () => {
    const ended = reported({ state: "ended", result: "voicemail", leadRingingAt });
    expect(savesOnClose(play(started, accepted, ended), start + 5_000)).toBe(false);
    const chosen: CallDialogAction = { type: "outcomeChosen", outcome: "voicemail" };
    expect(savesOnClose(play(started, accepted, ended, chosen), start + 5_000)).toBe(true);
  });

  it.each(["rep_not_reached", "not_confirmed", "canceled", "failed"] as const)(
    "saves no log of a call that ended as %s: the lead's phone never rang",
    (result) => {
      const state = play(
        started,
        accepted,
        { type: "outcomeChosen", outcome: "no_answer" },
        reported({ state: "ended", result }),
      );
      expect(leadNeverRung(state)).toBe(true);
      expect(savesOnClose(state, start + 5_000)).toBe(false);
    },
  );

  it("shows the outcome of a call that could not be connected without preselecting another", () => {
    const ended = reported({ state: "ended", result: "not_connected" });
    const state = play(started, accepted, ended);
    expect(leadNeverRung(state)).toBe(false);
    expect(state).toMatchObject({ outcome: "not_connected", chosen: false });
    expect(savesOnClose(state, start + 5_000)).toBe(false);
    // The network's code may arrive after the end.
    expect(play(started, accepted, ended, reported({ state: "ended", result: "disconnected" })).outcome).toBe(
      "disconnected",
    );
  });

  it("detects that closing would discard notes", () => {
    const typed: CallDialogAction = { type: "notesTyped", notes: "Call back on Monday" };
    expect(losesNotes(play(started, accepted, typed), start + 5_000)).toBe(true);
    expect(
      losesNotes(
        play(started, accepted, typed, { type: "outcomeChosen", outcome: "answered" }),
        start + 5_000,
      ),
    ).toBe(false);
  });

  it("keeps outcome and notes when saving fails", () => {
    const state = play(
      started,
      accepted,
      { type: "outcomeChosen", outcome: "busy" },
      { type: "notesTyped", notes: "Line was engaged" },
      { type: "saving" },
      { type: "saveFailed" },
    );
    expect(state).toMatchObject({ outcome: "busy", notes: "Line was engaged", save: "failed", open: true });
  });

  it("resets timer, outcome, notes and call id on closing", () => {
    const state = play(started, accepted, { type: "notesTyped", notes: "x" }, { type: "closed" });
    expect(state).toEqual(idleCall);
  });

  it("resumes a live call after a reload, with the time already elapsed", () => {
    const state = play({
      type: "resumed",
      call: buildCall({ state: "in_progress", leadRingingAt, now: new Date(start + 65_000).toISOString() }),
      at: start + 100_000,
    });
    expect(state).toMatchObject({ phase: "live", callId: 31, lead: { id: 7, name: "Inés Duarte" } });
    expect(timerSeconds(state, start + 100_000)).toBe(65);
  });
});
