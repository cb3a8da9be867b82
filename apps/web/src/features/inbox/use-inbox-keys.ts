import { useEffect, useEffectEvent } from "react";
import { leadOf, leadPanel } from "../../lib/lead-panel.ts";

const fields =
  "input:not([type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=combobox], [role=textbox]";
const layers = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/** Whether the press belongs to something else: a field, a menu, a dialog, an open lead's panel. */
function isElsewhere(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return true;
  if (leadPanel.router && leadOf(leadPanel.router.state.location.search) !== null) return true;
  if (document.querySelector("[data-dialog]:not([data-state=closed]), [role=menu], [role=listbox]"))
    return true;
  return target instanceof Element && (target.matches(fields) || target.closest(layers) !== null);
}

/** The keys of the inbox: `j` and `k` go through the list, `e` is Done. By the character, not by the key's place. */
export function useInboxKeys(acts: Record<"j" | "k" | "e", () => void>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = acts[event.key as keyof typeof acts];
    if (!act || isElsewhere(event)) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
