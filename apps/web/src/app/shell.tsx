import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { type RefObject, Suspense, useEffect, useReducer, useRef, useState } from "react";
import { isDemoMode } from "../lib/document.ts";
import { useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { currentUserQuery } from "../lib/query-client.ts";
import { useIsMobile, useIsWide } from "../lib/use-is-mobile.ts";
import { contentClasses, shellClasses } from "./shell-classes.ts";
import { shellMessages } from "./shell-messages.ts";
import { initialSidebar, reduceSidebar, Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";

const PhoneBar = lateComponent(async () => ({ default: (await import("./phone-bar.tsx")).PhoneBar }));
const MobileNav = lateComponent(async () => ({ default: (await import("./mobile-nav.tsx")).MobileNav }));

/** The layout of every page for signed-in users: top bar, sidebar, content of limited width. */
export function Shell() {
  const t = useMessages(shellMessages);
  const isDemo = isDemoMode();
  const isMobile = useIsMobile();
  const isWide = useIsWide();
  const { data: user } = useQuery(currentUserQuery());
  const isPinned = isWide ? (user?.sidebarPinned ?? false) : null;
  const { pathname } = useLocation();
  const [sidebar, dispatch] = useReducer(reduceSidebar, initialSidebar);
  const [isMenuLoaded, setMenuLoaded] = useState(false);
  const main = useRef<HTMLElement>(null);
  useFocusAfterNavigation(main);

  useEffect(() => {
    dispatch({ type: "navigated", pathname, isMobile });
  }, [pathname, isMobile]);

  return (
    <div className={shellClasses(isDemo)}>
      <a
        href="#main"
        className="sr-only z-60 rounded-md bg-primary px-4 py-2 font-medium text-primary-foreground focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("skipToContent")}
      </a>
      {/* Without a connection the bar is above a dialog's overlay, so that its message can be read there too. */}
      <header className="sticky top-0 z-30 [html[data-is-unconnected]_&]:z-45">
        {isDemo ? <DemoBanner /> : null}
        <TopBar
          isMobile={isMobile}
          isMenuOpen={!sidebar.isCollapsed}
          onToggleMenu={() => {
            setMenuLoaded(true);
            dispatch({ type: "toggled" });
          }}
        />
      </header>
      <div className="flex flex-1">
        {isMobile ? (
          <Suspense>
            {isMenuLoaded ? (
              <MobileNav open={!sidebar.isCollapsed} onClose={() => dispatch({ type: "closed" })} />
            ) : null}
          </Suspense>
        ) : (
          <Sidebar
            isCollapsed={sidebar.isCollapsed && !isPinned}
            isPinned={isPinned}
            onToggle={() => dispatch({ type: "toggled" })}
            onUnpin={() => sidebar.isCollapsed && dispatch({ type: "toggled" })}
          />
        )}
        <main ref={main} id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <div className={contentClasses}>
            <Outlet />
          </div>
        </main>
      </div>
      {isMobile ? (
        <Suspense>
          <PhoneBar />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The banner of demo mode: one line of 28 px, or 20 px above a list on a phone; the layout depends on these heights. */
function DemoBanner() {
  const t = useMessages(shellMessages);
  return (
    <p className="flex h-7 [html[data-is-list]_&]:h-5 items-center justify-center gap-1.5 bg-warning-soft px-3 text-warning-text text-xs">
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate font-medium">{t("demoBanner")}</span>
      <span className="hidden md:inline">{t("demoDetail")}</span>
    </p>
  );
}

/** Moves the focus to the new page's heading after a navigation, so that a screen reader announces it. */
function useFocusAfterNavigation(main: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return;
        const heading = main.current?.querySelector<HTMLElement>("h1");
        (heading ?? main.current)?.focus({ preventScroll: true });
      }),
    [router, main],
  );
}
