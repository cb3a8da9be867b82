import { randomBytes } from "node:crypto";
import type { IntakeSource } from "@portal/contract/entities/lead-webhook";

/** How long the key before the newest still works, so that a sender can be changed over without a gap. */
export const overlapHours = 24;

/** A key: 32 random bytes, with a prefix by which scanners of repositories know it. */
export function newKey(): string {
  return `whk_${randomBytes(32).toString("base64url")}`;
}

/** Bodies of the plain source may be signed with the key instead of carrying it: it must be read back. */
export function signsBodies(source: IntakeSource): boolean {
  return source === "lead";
}

export function sealPurpose(source: IntakeSource, what: "key" | "client secret"): string {
  return `intake ${source} ${what}`;
}
