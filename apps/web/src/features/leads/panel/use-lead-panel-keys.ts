import { type RefObject, useEffect, useEffectEvent } from "react";
import { closeLead } from "../../../lib/lead-panel-steps.ts";

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input, textarea, select, [role=combobox], [role=listbox] *, [role=menu] *"));

/** Whether a dialog or a menu has the keys for now; the panel is neither. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("[role=dialog]:not([data-lead-panel]), [role=alertdialog], [role=menu], [role=listbox]") !==
    null;

/**
 * Escape closes an open panel; in a field it leaves the field first, so that no press throws away what one is typing. The panel's other keys
 * are those of the page (`lib/keys.ts`).
 */
export function useLeadPanelKeys(panel: RefObject<HTMLElement | null>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(target))
      return;
    const isInside = target instanceof Node && panel.current?.contains(target);
    if (key === "Escape" && (isInside || !isField(target))) {
      event.preventDefault();
      if (isField(target)) panel.current?.querySelector<HTMLElement>("h2")?.focus();
      else closeLead();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
