import type { CallsContext } from "../telephony/types.ts";

/** What the checklist and its test call stand on. */
export type GoLiveContext = Pick<CallsContext, "database" | "log" | "telephony" | "publicUrl">;
