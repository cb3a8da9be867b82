import { z } from "zod";

/** Result of a sync (specification §3, Sync result). `running` tells that figures are the count so far. */
export const syncResultSchema = z.object({
  message: z.string(),
  synced: z.number(),
  errors: z.array(z.string()),
  running: z.boolean(),
  runId: z.number(),
});
export type SyncResult = z.infer<typeof syncResultSchema>;

export const crmStatusSchema = z.object({
  connected: z.boolean(),
  message: z.string(),
  usersCount: z.number(),
});
export type CrmStatus = z.infer<typeof crmStatusSchema>;
