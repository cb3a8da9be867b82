import { Outlet, useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { CallDesk } from "../features/call-dialog/call-desk.tsx";
import { openDialer, useDialerScreen } from "../features/dialer/dialer-store.ts";
import { isLive, useDialer } from "../features/dialer/session-query.ts";
import { useFirstPaintEnd } from "../lib/first-paint.ts";
import { useLateModule } from "../lib/use-late-module.ts";
import { DialogOutlet } from "../ui/dialog-outlet.tsx";

const loadDialer = () => import("../features/dialer/dialer-desk.tsx");

/** Around every page: the rep's call and the calling session outlive each of them. */
export function CallDeskRoot() {
  useFirstPaintEnd();
  const { pathname } = useLocation();
  const { session } = useDialer();
  const { overlay, page } = useDialerScreen();
  const [isDialerWanted, setDialerWanted] = useState(false);
  const live = isLive(session) ? session : null;
  // Fetched with the first session or the first look at the dialer; from then on it stays.
  if (!isDialerWanted && (live || overlay || page)) setDialerWanted(true);
  const DialerDesk = useLateModule(loadDialer, isDialerWanted)?.default;
  return (
    <CallDesk
      // The dialer shows the call with its own lead; one that goes on after Stop is a call like any other.
      ownedLeadId={live?.call?.leadId ?? live?.lead?.id ?? null}
      onReturnToOwner={openDialer}
    >
      <Outlet />
      <DialogOutlet key={pathname} />
      {DialerDesk ? <DialerDesk /> : null}
    </CallDesk>
  );
}
