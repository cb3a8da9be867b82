import { z } from "zod";

/** Why a run of the CRM did not do what it was begun for. */
export const syncFaultCodes = [
  "not_connected",
  "connect_again",
  "app_refused",
  "key_refused",
  "not_allowed",
  "location_unknown",
  "busy",
  "silent",
  "broken",
  "refused",
  "unreadable",
  /** Our own. */
  "ours",
  /** So many contacts seem deleted that an administrator decides. */
  "held",
  /** Another run was begun in the place of one that was held. */
  "replaced",
] as const;
export type SyncFaultCode = (typeof syncFaultCodes)[number];

/** The reason by code, with the HTTP status of the CRM's answer where there was one. */
export const syncFaultSchema = z.object({ code: z.enum(syncFaultCodes), status: z.number().nullable() });
export type SyncFault = z.infer<typeof syncFaultSchema>;
