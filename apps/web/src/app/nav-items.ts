import {
  BarChart3,
  CalendarDays,
  ContactRound,
  History,
  LayoutDashboard,
  type LucideIcon,
  PhoneCall,
  Plug,
  Settings,
  ShieldCheck,
  UserCog,
  Users,
} from "lucide-react";
import type { TextKey } from "../lib/i18n.ts";
import type { shellTexts } from "./shell-texts.ts";

export interface NavItem {
  to: string;
  label: Exclude<TextKey<(typeof shellTexts)["pairs"]>, "userMenu" | "unreadTexts" | "missedCalls">;
  icon: LucideIcon;
}

/** The sidebar's items as recorded (specification §2). */
export const MAIN_ITEMS: readonly NavItem[] = [
  { to: "/", label: "dashboard", icon: LayoutDashboard },
  { to: "/call-history", label: "callHistory", icon: History },
  { to: "/reports", label: "reports", icon: BarChart3 },
  { to: "/calendar", label: "calendar", icon: CalendarDays },
  { to: "/integrations", label: "integrations", icon: Plug },
];

export const TOOL_ITEMS: readonly NavItem[] = [
  { to: "/all-leads", label: "allLeads", icon: Users },
  { to: "/analytics", label: "analytics", icon: PhoneCall },
  { to: "/contacts", label: "contactLists", icon: ContactRound },
];

/** Not recorded there, but a consultant has to find the phone number and the language. */
export const SETTINGS_ITEM: NavItem = { to: "/settings", label: "settings", icon: Settings };
export const TEAM_ITEM: NavItem = { to: "/team-access", label: "team", icon: UserCog };
export const ADMIN_ITEM: NavItem = { to: "/admin", label: "administration", icon: ShieldCheck };
