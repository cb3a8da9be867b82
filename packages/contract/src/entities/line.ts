import { z } from "zod";

/**
 * How a session reaches its consultant: `each_call` rings their phone for every lead, as recorded; `open_line` rings it once, and every lead is
 * joined to that line.
 */
export const lineModes = ["each_call", "open_line"] as const;
export type LineMode = (typeof lineModes)[number];

/** What is said on an open line before each lead: nothing; name, city and which try; or also the follow-up that was asked for. */
export const lineBriefs = ["off", "short", "full"] as const;
export type LineBrief = (typeof lineBriefs)[number];

/** An open line moves forward through these only: asked for, rings, was answered and waits for 1, stands. */
export const lineStates = ["requested", "ringing", "confirming", "open", "ended"] as const;
export type LineState = (typeof lineStates)[number];

export const lineEndReasons = [
  /** The consultant hung up, or the network did. */
  "hung_up",
  /** Their phone was busy, did not answer or could not be reached. */
  "not_answered",
  /** Answered, and 1 was not pressed. */
  "not_confirmed",
  /** The provider refused the call, or never made it. */
  "failed",
  /** The session was stopped or is through. */
  "session_over",
  /** Ten minutes without work. */
  "idle",
  /** Four hours. */
  "time_limit",
] as const;
export type LineEndReason = (typeof lineEndReasons)[number];

/** A consultant's open line: their own leg, to which lead after lead is joined. A consultant has one at most that has not ended. */
export const lineSchema = z.object({
  id: z.number(),
  state: z.enum(lineStates),
  /** The office line where it is the phone that is rung, E.164; else null. */
  officeLine: z.string().nullable(),
  startedAt: z.string(),
  /** When 1 was pressed. */
  connectedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  endReason: z.enum(lineEndReasons).nullable(),
  /** What went wrong, in words for the consultant; null when nothing did. */
  failure: z.string().nullable(),
});
export type Line = z.infer<typeof lineSchema>;
