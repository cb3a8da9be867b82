import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { Suspense } from "react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { Button } from "../ui/button.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { NavList } from "./nav-list.tsx";
import { sidebarClasses } from "./shell-classes.ts";
import { shellMessages } from "./shell-messages.ts";

const PinButton = lateComponent(() => import("./pin-button.tsx"));

interface SidebarProps {
  isCollapsed: boolean;
  /** Whether the sidebar is pinned; null where the screen is too narrow for that. */
  isPinned: boolean | null;
  onToggle: () => void;
  onUnpin: () => void;
}

/** The sidebar of wide screens: a rail of icons when collapsed. An open sidebar can be pinned, and collapses when it is unpinned. */
export function Sidebar({ isCollapsed, isPinned, onToggle, onUnpin }: SidebarProps) {
  const t = useMessages(shellMessages);
  const label = t(isCollapsed ? "expandSidebar" : "collapseSidebar");
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside
      data-collapsed={isCollapsed}
      className={cn(sidebarClasses, "transition-[width] duration-200", isCollapsed ? "w-[3.75rem]" : "w-60")}
    >
      <NavList compact={isCollapsed} />
      <div className={cn("flex border-t p-3", isCollapsed ? "justify-center" : "justify-end")}>
        {isCollapsed || isPinned === null ? null : (
          <Suspense fallback={<div className="size-9" />}>
            <PinButton isPinned={isPinned} onUnpin={onUnpin} />
          </Suspense>
        )}
        {isPinned ? null : (
          <Tooltip content={label} side="right">
            <Button
              variant="ghost"
              size="icon"
              aria-label={label}
              aria-expanded={!isCollapsed}
              onClick={onToggle}
              className="text-muted-foreground"
            >
              <Icon aria-hidden />
            </Button>
          </Tooltip>
        )}
      </div>
    </aside>
  );
}

/** Sidebar state: collapsed by default. */
export interface SidebarState {
  isCollapsed: boolean;
}

export const initialSidebar: SidebarState = { isCollapsed: true };

export type SidebarAction =
  | { type: "toggled" }
  | { type: "closed" }
  | { type: "navigated"; pathname: string; isMobile: boolean };

const STAYS_OPEN_ON = ["/", "/dashboard"];

/** Every navigation collapses the sidebar, except to the dashboard; the overlay of small screens closes after any navigation. */
export function reduceSidebar(state: SidebarState, action: SidebarAction): SidebarState {
  switch (action.type) {
    case "toggled":
      return { isCollapsed: !state.isCollapsed };
    case "closed":
      return { isCollapsed: true };
    case "navigated":
      return action.isMobile || !STAYS_OPEN_ON.includes(action.pathname) ? { isCollapsed: true } : state;
  }
}
