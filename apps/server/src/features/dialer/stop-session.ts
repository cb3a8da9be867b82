import type { Tx } from "../../db/client.ts";
import { findLiveSession, lockSession } from "./data-sessions.ts";
import { takeStep } from "./take-step.ts";

/** Stops whatever session a person has, without ending the call in hand; answers whether there was one. */
export async function stopSessionOf(tx: Tx, userId: number): Promise<boolean> {
  const live = await findLiveSession(tx, userId);
  const row = live && (await lockSession(tx, { id: live.id }));
  if (!row) return false;
  await takeStep(tx, row, { type: "stop" });
  return true;
}
