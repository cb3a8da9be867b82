import type { Lead } from "@portal/contract/entities/lead";
import { type ComponentType, createContext } from "react";

export interface CallToolsProps {
  lead: Lead;
  /** Whether the history is among them. */
  withHistory?: boolean;
  /** The call has ended and did not reach the lead. */
  isMissed?: boolean;
}

/** What one does for a lead beside a call (texts, meetings, history): features that build on this one bring it. */
export const CallToolsContext = createContext<ComponentType<CallToolsProps> | null>(null);
