import type { Database } from "../../platform/db/client.ts";

export interface InboxContext {
  database: Database;
}

/** Whose entries: those that are a person's to answer, or everyone's. */
export type InboxScope = { userId: number; isAdmin: boolean } | "everyone";

/** Whom an entry is about. */
export type Subject = { leadId: number } | { number: string } | { callId: number };
