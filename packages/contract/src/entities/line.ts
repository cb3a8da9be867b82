import { z } from "zod";

/**
 * How a session connects to its consultant. `each_call` rings the consultant's phone for every lead, as recorded. `open_line` rings it once
 * and connects every lead to that line.
 */
export const lineModes = ["each_call", "open_line"] as const;
export type LineMode = (typeof lineModes)[number];

/**
 * What is announced on an open line before each lead. `off`: nothing. `short`: name, city and number of the attempt. `full`: also the
 * follow-up that was asked for.
 */
export const lineBriefs = ["off", "short", "full"] as const;
export type LineBrief = (typeof lineBriefs)[number];

/** States of an open line, which only move forward: requested, ringing, answered and waiting for 1, connected, ended. */
export const lineStates = ["requested", "ringing", "confirming", "open", "ended"] as const;
export type LineState = (typeof lineStates)[number];

export const lineEndReasons = [
  /** The consultant hung up or the connection was lost. */
  "hung_up",
  /** The consultant's phone was busy, did not answer or could not be reached. */
  "not_answered",
  /** The consultant answered but did not press 1. */
  "not_confirmed",
  /** The provider refused the call or did not place it. */
  "failed",
  /** The session was stopped or completed. */
  "session_over",
  /** No activity for ten minutes. */
  "idle",
  /** The line was open for four hours. */
  "time_limit",
] as const;
export type LineEndReason = (typeof lineEndReasons)[number];

/**
 * A consultant's open line: the consultant's leg, which leads are connected to one after the other. A consultant has at most one line that
 * has not ended.
 */
export const lineSchema = z.object({
  id: z.number(),
  state: z.enum(lineStates),
  /** The office line's number (E.164) if it is the phone that rings; otherwise null. */
  officeLine: z.string().nullable(),
  startedAt: z.string(),
  /** When the consultant pressed 1. */
  connectedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  endReason: z.enum(lineEndReasons).nullable(),
  /** Error message for the consultant; null if nothing went wrong. */
  failure: z.string().nullable(),
});
export type Line = z.infer<typeof lineSchema>;
