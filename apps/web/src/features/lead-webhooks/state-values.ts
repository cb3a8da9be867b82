import type { DeliveryState } from "@portal/contract/entities/lead-webhook";
import type { BadgeTone } from "../../ui/badge.tsx";

export const stateTones: Record<DeliveryState, BadgeTone> = {
  received: "info",
  retrying: "warning",
  failed: "danger",
  rejected: "danger",
  done: "plain",
};
