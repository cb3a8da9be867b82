import type { CurrentUser } from "@portal/contract/entities/user";
import { countInbox } from "@portal/contract/routes/inbox";
import { countToday } from "@portal/contract/routes/today";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import {
  BarChart3,
  CalendarDays,
  ContactRound,
  History,
  Inbox,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
  PhoneCall,
  Plug,
  Settings,
  ShieldCheck,
  UserCog,
  Users,
} from "lucide-react";
import { missedCountQuery } from "../features/call-history/missed-query.ts";
import { unreadQuery } from "../features/sms/unread-query.ts";
import { cn } from "../lib/cn.ts";
import { type MessageKey, useMessages } from "../lib/i18n.ts";
import { type KeyCommand, keyTable, withKey } from "../lib/keys.ts";
import { currentUserQuery, routeQuery } from "../lib/query-client.ts";
import { CountBadge } from "../ui/badge.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { shellMessages } from "./shell-messages.ts";

interface NavItem {
  to: string;
  label: Exclude<
    MessageKey<(typeof shellMessages)["pairs"]>,
    "userMenu" | "unreadTexts" | "missedCalls" | "inboxWaits" | "todayDue"
  >;
  icon: LucideIcon;
}

/** Items of a separate group above the recorded ones. */
const OWN_ITEMS: readonly NavItem[] = [
  { to: "/today", label: "today", icon: ListTodo },
  { to: "/inbox", label: "inbox", icon: Inbox },
];

/** The sidebar's items as recorded. */
const MAIN_ITEMS: readonly NavItem[] = [
  { to: "/", label: "dashboard", icon: LayoutDashboard },
  { to: "/call-history", label: "callHistory", icon: History },
  { to: "/reports", label: "reports", icon: BarChart3 },
  { to: "/calendar", label: "calendar", icon: CalendarDays },
  { to: "/integrations", label: "integrations", icon: Plug },
];

const TOOL_ITEMS: readonly NavItem[] = [
  { to: "/all-leads", label: "allLeads", icon: Users },
  { to: "/analytics", label: "analytics", icon: PhoneCall },
  { to: "/contacts", label: "contactLists", icon: ContactRound },
];

/** Not among the recorded items, but consultants have to find their phone number and language. */
const SETTINGS_ITEM: NavItem = { to: "/settings", label: "settings", icon: Settings };
const TEAM_ITEM: NavItem = { to: "/team-access", label: "team", icon: UserCog };
const ADMIN_ITEM: NavItem = { to: "/admin", label: "administration", icon: ShieldCheck };

/** Every page of the sidebar that a person may see, in its order. */
export const navItems = (user: CurrentUser | null | undefined): readonly NavItem[] => [
  ...OWN_ITEMS,
  ...MAIN_ITEMS,
  ...TOOL_ITEMS,
  ...lastItems(user),
];

const lastItems = (user: CurrentUser | null | undefined): readonly NavItem[] =>
  user?.role === "admin" ? [SETTINGS_ITEM, TEAM_ITEM, ADMIN_ITEM] : [SETTINGS_ITEM];

interface NavListProps {
  /** Icons only, the labels as tooltips. */
  compact: boolean;
  /** Pages that are linked elsewhere, and left out here. */
  without?: readonly string[];
  /** Called after a press on an item, including the current page's. */
  onNavigate?: () => void;
}

export function NavList({ compact, without = [], onNavigate }: NavListProps) {
  const t = useMessages(shellMessages);
  const { data: user } = useQuery(currentUserQuery());
  const list = (items: readonly NavItem[]) => (
    <ul className="grid gap-0.5">
      {items
        .filter(({ to }) => !without.includes(to))
        .map((item) => (
          <li key={item.to}>
            <NavLink item={item} compact={compact} onNavigate={onNavigate} />
          </li>
        ))}
    </ul>
  );
  return (
    <nav aria-label={t("navigation")} className="flex flex-1 flex-col gap-4 overflow-y-auto p-3">
      {OWN_ITEMS.every(({ to }) => without.includes(to)) ? null : list(OWN_ITEMS)}
      {list(MAIN_ITEMS)}
      <div className="grid gap-1">
        <h2
          className={cn(
            "px-2.5 font-medium text-muted-foreground text-xs",
            compact ? "sr-only" : "leading-6",
          )}
        >
          {t("tools")}
        </h2>
        {compact ? <div aria-hidden className="mx-2 mb-3 border-t" /> : null}
        {list(TOOL_ITEMS)}
      </div>
      <div className="mt-auto">{list(lastItems(user))}</div>
    </nav>
  );
}

interface NavLinkProps {
  item: NavItem;
  compact: boolean;
  onNavigate: (() => void) | undefined;
}

function NavLink({ item: { to, label, icon: Icon }, compact, onNavigate }: NavLinkProps) {
  const t = useMessages(shellMessages);
  const { pathname } = useLocation();
  const isCurrent = pathname === to || (to === "/" && pathname === "/dashboard");
  const key = Object.keys(keyTable).find((act) => (keyTable[act as KeyCommand] as { to?: string }).to === to);
  const name = key ? withKey(t(label), key as KeyCommand) : t(label);
  const link = (
    <Link
      to={to}
      title={compact || !key ? undefined : name}
      onClick={onNavigate}
      aria-current={isCurrent ? "page" : undefined}
      className={cn(
        "relative flex h-9 items-center gap-3 rounded-md px-2.5 font-medium text-sm transition-colors pointer-coarse:h-11",
        isCurrent
          ? "bg-primary-soft text-primary-text"
          : "text-muted-foreground hover:bg-muted hover:text-foreground",
        compact && "justify-center px-0",
      )}
    >
      <Icon aria-hidden className="size-4.5 shrink-0" />
      <span className={compact ? "sr-only" : "truncate"}>{t(label)}</span>
      {label === "today" ? <TodayBadge compact={compact} /> : null}
      {label === "inbox" ? <InboxBadge compact={compact} /> : null}
      {label === "dashboard" ? <UnreadBadge compact={compact} /> : null}
      {label === "callHistory" ? <MissedBadge compact={compact} /> : null}
    </Link>
  );
  return compact ? (
    <Tooltip content={name} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}

/** Items that become due by time have no event, so the count is refetched. */
const todayEveryMs = 60_000;

/** The number of items in Today. */
export function TodayBadge({ compact }: { compact: boolean }) {
  const t = useMessages(shellMessages);
  const { data } = useQuery({ ...routeQuery(countToday), refetchInterval: todayEveryMs });
  const count = data?.now ?? 0;
  return <WaitingCount count={count} label={t("todayDue", { count })} compact={compact} />;
}

/** The number of waiting entries of the user's inbox; refetched at every event about SMS and calls. */
export function InboxBadge({ compact }: { compact: boolean }) {
  const t = useMessages(shellMessages);
  const { data } = useQuery(routeQuery(countInbox));
  const count = data?.count ?? 0;
  return <WaitingCount count={count} label={t("inboxWaits", { count })} compact={compact} />;
}

/** The number of unread texts from own leads. */
function UnreadBadge({ compact }: { compact: boolean }) {
  const t = useMessages(shellMessages);
  const { data } = useQuery(unreadQuery());
  const count = data?.leads ?? 0;
  return <WaitingCount count={count} label={t("unreadTexts", { count })} compact={compact} />;
}

/** The number of missed calls that wait to be called back. */
function MissedBadge({ compact }: { compact: boolean }) {
  const t = useMessages(shellMessages);
  const { data: count = 0 } = useInfiniteQuery(missedCountQuery());
  return <WaitingCount count={count} label={t("missedCalls", { count })} compact={compact} />;
}

function WaitingCount({ count, label, compact }: { count: number; label: string; compact: boolean }) {
  if (count === 0) return null;
  return (
    <CountBadge
      count={count}
      label={label}
      most={99}
      className={
        compact
          ? "-top-1 absolute left-[calc(50%+1px)] h-4 min-w-4 px-1 text-[0.6875rem] ring-2 ring-surface"
          : "ml-auto"
      }
    />
  );
}
