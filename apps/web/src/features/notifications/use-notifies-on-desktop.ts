import { useQuery } from "@tanstack/react-query";
import { availabilityQuery } from "../availability/queries.ts";
import { useDesktopNotifications } from "./show-desktop-notifications.ts";

/**
 * Whether this browser shows desktop notifications now: permitted, and the user is not away or outside working hours. Null until that is
 * known.
 */
export function useNotifiesOnDesktop(): boolean | null {
  const isOn = useDesktopNotifications() === "on";
  const { data, isPending } = useQuery({ ...availabilityQuery(), enabled: isOn });
  if (!isOn) return false;
  if (data) return data.state === "available";
  return isPending ? null : true;
}
