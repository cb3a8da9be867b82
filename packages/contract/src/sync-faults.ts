import { z } from "zod";

/** Why a CRM sync run failed. */
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
  /** An error in the portal itself. */
  "ours",
  /** So many contacts seem deleted that an administrator must decide. */
  "held",
  /** The run was held, and another run replaced it. */
  "replaced",
] as const;
export type SyncFaultCode = (typeof syncFaultCodes)[number];

/** The reason code, with the HTTP status of the CRM's response; null if there was none. */
export const syncFaultSchema = z.object({ code: z.enum(syncFaultCodes), status: z.number().nullable() });
export type SyncFault = z.infer<typeof syncFaultSchema>;
