import { Link, useLocation } from "@tanstack/react-router";
import {
  CalendarDays,
  Ellipsis,
  Headset,
  Inbox,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { cn } from "../lib/cn.ts";
import { useRootMark } from "../lib/document.ts";
import { useMessages } from "../lib/i18n.ts";
import { Dialog } from "../ui/dialog.tsx";
import { InboxBadge, NavList, TodayBadge } from "./nav-list.tsx";
import { shellMessages } from "./shell-messages.ts";

const pages = [
  { to: "/today", label: "today", icon: ListTodo },
  { to: "/", label: "leads", icon: LayoutDashboard },
  { to: "/auto-dialer", label: "dialer", icon: Headset },
  { to: "/inbox", label: "inboxShort", icon: Inbox },
  { to: "/calendar", label: "calendar", icon: CalendarDays },
] as const;
const shownPages = pages.map(({ to }) => to);

const itemClasses = (isCurrent: boolean) =>
  cn(
    "relative flex h-14 min-w-0 flex-col items-center justify-center gap-0.5 font-medium text-[0.625rem] leading-4 min-[25rem]:text-[0.6875rem] outline-offset-[-3px]",
    isCurrent ? "text-primary-text" : "text-muted-foreground",
  );

/**
 * The most used pages and a link to the others, within reach of the thumb; used with the menu button below 768 px. Overlays of the page
 * cover it (`data-phone-bar` in styles.css).
 */
export function PhoneBar() {
  const t = useMessages(shellMessages);
  const { pathname } = useLocation();
  const [isMoreOpen, setMoreOpen] = useState(false);
  useRootMark("hasPhoneBar");
  const isOnOther = !pages.some(({ to }) => isAt(pathname, to));
  return (
    <>
      <nav
        aria-label={t("phoneBar")}
        data-phone-bar
        className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-6 border-t bg-surface pb-[env(safe-area-inset-bottom)] print:hidden"
      >
        {pages.map(({ to, label, icon }) => (
          <Link
            key={to}
            to={to}
            aria-current={isAt(pathname, to) ? "page" : undefined}
            className={itemClasses(isAt(pathname, to))}
          >
            <Sign icon={icon}>
              {to === "/today" ? <TodayBadge compact /> : null}
              {to === "/inbox" ? <InboxBadge compact /> : null}
            </Sign>
            <span className="max-w-full truncate">{t(label)}</span>
          </Link>
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={isMoreOpen}
          className={itemClasses(isOnOther)}
          onClick={() => setMoreOpen(true)}
        >
          <Sign icon={Ellipsis} />
          <span>{t("more")}</span>
        </button>
      </nav>
      <Dialog open={isMoreOpen} onOpenChange={setMoreOpen} title={t("morePages")}>
        <NavList compact={false} without={shownPages} onNavigate={() => setMoreOpen(false)} />
      </Dialog>
    </>
  );
}

function Sign({ icon: Icon, children }: { icon: LucideIcon; children?: ReactNode }) {
  return (
    <span className="relative flex h-6 w-10 items-center justify-center">
      <Icon aria-hidden className="size-5" />
      {children}
    </span>
  );
}

const isAt = (pathname: string, to: string) => pathname === to || (to === "/" && pathname === "/dashboard");
