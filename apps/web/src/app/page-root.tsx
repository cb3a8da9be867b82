import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { openDialer, useDialerScreen } from "../features/dialer/dialer-store.ts";
import { isLive, useDialer } from "../features/dialer/session-query.ts";
import { OfflineQueue } from "../features/offline/offline-queue.tsx";
import { SmsDock } from "../features/sms/sms-dock.tsx";
import { CallProvider, useRepCall } from "../features/telephony/call/call-provider.tsx";
import { reloadForRelease, useConnection } from "../lib/connection.ts";
import { isDemoMode, useSkeletonRemoval } from "../lib/document.ts";
import { isPaletteKey, keyDialog, pageKey, singleKeys } from "../lib/keys.ts";
import { lateComponent, useLateModule } from "../lib/late-module.ts";
import { leadOf } from "../lib/lead-panel.ts";
import { currentUserQuery } from "../lib/query-client.ts";
import { useStore } from "../lib/store.ts";
import { DialogOutlet } from "../ui/dialog-outlet.tsx";
import { chromeClasses } from "./shell-classes.ts";

const InboundCallBar = lateComponent(() => import("./inbound-call-bar.tsx"));
const CallTools = lateComponent(() => import("./call-tools.tsx"));
const loadDialer = () => import("../features/dialer/dialer-dock.tsx");

/** The panel's code loads when a pointer first hovers over a name, or with the first panel. */
export const loadLeadPanel = () => import("../features/leads/panel/lead-panel-dock.tsx");

/** Reloads at a navigation to a page whose code a new release has replaced. */
function useReleaseOnWay(): void {
  const isOnWay = useRouterState({ select: ({ status }) => status === "pending" });
  const isOutdated = useConnection() === "outdated";
  useEffect(() => {
    if (isOnWay && isOutdated) reloadForRelease();
  }, [isOnWay, isOutdated]);
}

/** The calls that ring the consultant's phone; during a call of their own no bar shows another. */
function InboundCalls() {
  const { inboundCalls, inboundAt, hiddenCall } = useRepCall();
  const isBehind = hiddenCall !== null;
  const [isWanted, setWanted] = useState(false);
  if (inboundCalls.length > 0 && !isBehind && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense fallback={null}>
      <InboundCallBar calls={inboundCalls} at={inboundAt} isBehind={isBehind} />
    </Suspense>
  );
}

const loadKeyboard = () => import("./keyboard.tsx");

/** How many key presses are kept while the code of the shortcuts loads. */
const earlyMax = 20;

/** Keyboard shortcuts: their code loads with the first key press or the search; presses meanwhile are replayed in order. */
function LateKeyboard() {
  const { data: user } = useQuery(currentUserQuery());
  const [early, setEarly] = useState<KeyboardEvent[]>([]);
  const isAsked = useStore(keyDialog) !== null;
  const Keyboard = useLateModule(loadKeyboard, isAsked || early.length > 0)?.default;
  const areOn = user?.singleKeys ?? true;
  useEffect(() => singleKeys.set(areOn), [areOn]);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        keyDialog.set("palette");
      } else if (!Keyboard && pageKey(event) !== null) setEarly((all) => [...all, event].slice(0, earlyMax));
    };
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, [Keyboard]);
  return Keyboard ? <Keyboard early={early} /> : null;
}

/** The frame of every page, which keeps the consultant's call and session alive across navigations. */
export function PageRoot() {
  useSkeletonRemoval();
  useReleaseOnWay();
  const { pathname } = useLocation();
  const { session } = useDialer();
  const { overlay, page } = useDialerScreen();
  const [isDialerWanted, setDialerWanted] = useState(false);
  const live = isLive(session) ? session : null;
  const leadId = useLocation({ select: ({ search }) => leadOf(search) });
  const [isPanelWanted, setPanelWanted] = useState(false);
  // Stays mounted after the first panel, to return the focus.
  if (!isPanelWanted && leadId !== null) setPanelWanted(true);
  const LeadPanelDock = useLateModule(loadLeadPanel, isPanelWanted)?.default;
  // Loads with the first session or the first visit of the dialer, and stays mounted.
  if (!isDialerWanted && (live || overlay || page)) setDialerWanted(true);
  const DialerDock = useLateModule(loadDialer, isDialerWanted)?.default;
  return (
    <CallProvider
      tools={CallTools}
      // The dialer shows the call with its own lead; a call that continues after Stop is shown like any other.
      ownedLeadId={live?.call?.leadId ?? live?.lead?.id ?? null}
      onReturnToOwner={openDialer}
    >
      <div data-page className="contents">
        <Outlet />
      </div>
      {LeadPanelDock ? <LeadPanelDock leadId={leadId} className={chromeClasses(isDemoMode())} /> : null}
      <InboundCalls />
      <LateKeyboard />
      <OfflineQueue />
      <DialogOutlet key={pathname} />
      <SmsDock key={`texts ${pathname}`} />
      {DialerDock ? <DialerDock /> : null}
    </CallProvider>
  );
}
