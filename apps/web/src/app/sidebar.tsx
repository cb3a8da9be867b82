import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import { Button } from "../ui/button.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { NavList } from "./nav-list.tsx";
import { sidebarClasses } from "./shell-classes.ts";
import { shellMessages } from "./shell-messages.ts";

interface SidebarProps {
  isCollapsed: boolean;
  onToggle: () => void;
}

/** The sidebar of wide screens: a rail of icons when collapsed. */
export function Sidebar({ isCollapsed, onToggle }: SidebarProps) {
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
      </div>
    </aside>
  );
}
