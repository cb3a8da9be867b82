import type { RegisteredRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { preloadLeadDialogs } from "../features/leads/components/open-lead-dialogs.tsx";
import FollowUpReminder from "../features/leads/follow-up-reminder.tsx";
import MeetingReminder from "../features/meetings/meeting-reminder.tsx";
import NotificationWatcher from "../features/notifications/notification-watcher.tsx";
import PortalWorkerLink from "../features/notifications/portal-worker-link.tsx";
import { preloadCallDialog } from "../features/telephony/call/call-provider.tsx";
import { preloadLeadPanel } from "../lib/lead-panel.ts";
import { preloadCalendar } from "../ui/follow-up-picker.tsx";
import { preloadSelect } from "../ui/select.tsx";

/** Preloads the forms for leads and calls, so that they work offline. */
const preloadForms = [
  preloadLeadPanel,
  preloadLeadDialogs,
  preloadCallDialog,
  preloadSelect,
  preloadCalendar,
];

/** Parts of every page that load after its content: reminders, notifications, and the handling of the focus. */
export default function Notifications({ router }: { router: RegisteredRouter }) {
  useRetainedFocus();
  useEffect(() => {
    for (const preload of preloadForms) preload();
  }, []);
  return (
    <>
      <MeetingReminder />
      <FollowUpReminder />
      <NotificationWatcher open={(to) => void router.navigate({ to })} />
      <PortalWorkerLink
        go={(path) => router.history.push(path)}
        onNavigation={(listener) => router.subscribe("onResolved", listener)}
      />
    </>
  );
}

/**
 * Moves the focus to a neighbour if a control removes itself when pressed (the cross of a filter, the last row of a list): keyboard users
 * would otherwise be at the top of the page. Presses by pointer are not affected.
 */
export function useRetainedFocus(): void {
  useEffect(() => {
    let place: Place | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKeyDown = () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && activeElement !== document.body)
        place = placeOf(activeElement);
    };
    const onPointerDown = () => {
      place = null;
    };
    const isLost = () =>
      place !== null && !place.element.isConnected && document.activeElement === document.body;
    const observer = new MutationObserver(() => {
      if (!isLost()) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (place && isLost()) neighbourOf(place)?.focus();
      }, graceMs);
    });
    document.addEventListener("keydown", onKeyDown, true);
    document.addEventListener("pointerdown", onPointerDown, true);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("keydown", onKeyDown, true);
      document.removeEventListener("pointerdown", onPointerDown, true);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
}

/** Time for the code that removed the focused control to move the focus itself: a closing dialog, a new page. */
const graceMs = 120;

const tabbable =
  "a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0']";

/** The element that had the focus at the last key press, with its ancestors and position, in case it is removed. */
interface Place {
  element: HTMLElement;
  ancestors: HTMLElement[];
  box: DOMRect;
}

function placeOf(element: HTMLElement): Place {
  const ancestors: HTMLElement[] = [];
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) ancestors.push(up);
  return { element, ancestors, box: element.getBoundingClientRect() };
}

/** The nearest control within the closest ancestor that still exists and contains any. */
function neighbourOf({ ancestors, box }: Place): HTMLElement | undefined {
  const distance = (other: HTMLElement) => {
    const { x, y } = other.getBoundingClientRect();
    return Math.hypot(x - box.x, y - box.y);
  };
  for (const ancestor of ancestors.filter(({ isConnected }) => isConnected)) {
    const around = [...ancestor.querySelectorAll<HTMLElement>(tabbable)].filter(
      (control) =>
        control.tabIndex >= 0 &&
        (control.checkVisibility?.() ?? true) &&
        !control.closest("[inert], [aria-hidden=true]"),
    );
    const [nearest] = around.sort((a, b) => distance(a) - distance(b));
    if (nearest) return nearest;
  }
  return undefined;
}
