import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useReducer, useRef, useState } from "react";
import { isDemoMode } from "../features/leads/demo-mode.ts";
import { useTexts } from "../lib/i18n.ts";
import { DemoBanner } from "./demo-banner.tsx";
import { contentClasses, shellClasses } from "./shell-classes.ts";
import { shellTexts } from "./shell-texts.ts";
import { Sidebar } from "./sidebar.tsx";
import { initialSidebar, reduceSidebar, useIsMobile } from "./sidebar-state.ts";
import { TopBar } from "./top-bar.tsx";
import { useFocusAfterNavigation } from "./use-focus-after-navigation.ts";

const MobileNav = lazy(async () => ({ default: (await import("./mobile-nav.tsx")).MobileNav }));

/** The layout of every page behind the sign-in: top bar, sidebar, content of limited width (specification §2, Layout). */
export function Shell() {
  const t = useTexts(shellTexts);
  const isDemo = isDemoMode();
  const isMobile = useIsMobile();
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
      <header className="sticky top-0 z-30">
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
          <Sidebar isCollapsed={sidebar.isCollapsed} onToggle={() => dispatch({ type: "toggled" })} />
        )}
        <main ref={main} id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <div className={contentClasses}>
            <Outlet />
          </div>
        </main>
      </div>
    </div>
  );
}
