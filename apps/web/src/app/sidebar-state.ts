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
