import type { Lead } from "@portal/contract/entities/lead";
import { type ComponentType, createContext } from "react";

export interface CallToolsProps {
  lead: Lead;
  /** Whether the history button is shown. */
  withHistory?: boolean;
  /** The call has ended without reaching the lead. */
  isMissed?: boolean;
}

/** Buttons for a lead next to a call (SMS, meetings, history), provided by features that depend on this one. */
export const CallToolsContext = createContext<ComponentType<CallToolsProps> | null>(null);
