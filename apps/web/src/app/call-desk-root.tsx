import { Outlet } from "@tanstack/react-router";
import { CallDesk } from "../features/call-dialog/call-desk.tsx";

/** Around every page: the rep's call outlives each of them. */
export function CallDeskRoot() {
  return (
    <CallDesk>
      <Outlet />
    </CallDesk>
  );
}
