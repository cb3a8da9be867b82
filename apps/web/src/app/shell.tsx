import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useReducer, useRef } from "react";
import { isDemoMode } from "../features/leads/demo-mode.ts";
import { cn } from "../lib/cn.ts";
import { useTexts } from "../lib/i18n.ts";
import { DemoBanner } from "./demo-banner.tsx";
import { MobileNav } from "./mobile-nav.tsx";
import { shellTexts } from "./shell-texts.ts";
import { Sidebar } from "./sidebar.tsx";
import { initialSidebar, reduceSidebar, useIsMobile } from "./sidebar-state.ts";
import { TopBar } from "./top-bar.tsx";
import { useFocusAfterNavigation } from "./use-focus-after-navigation.ts";

/** The layout of every page behind the sign-in: top bar, sidebar, content of limited width (specification §2, Layout). */
export function Shell() {
  const t = useTexts(shellTexts);
  const isDemo = isDemoMode();
  const isMobile = useIsMobile();
  const { pathname } = useLocation();
  const [sidebar, dispatch] = useReducer(reduceSidebar, initialSidebar);
  const main = useRef<HTMLElement>(null);
  useFocusAfterNavigation(main);

  useEffect(() => {
    dispatch({ type: "navigated", pathname, isMobile });
  }, [pathname, isMobile]);

  return (
    <div className={cn("flex min-h-dvh flex-col", isDemo ? "[--chrome:5.25rem]" : "[--chrome:3.5rem]")}>
      <a
        href="#main"
        className="sr-only z-60 rounded-md bg-primary px-4 py-2 font-medium text-primary-foreground focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("skipToContent")}
      </a>
      <div className="sticky top-0 z-30">
        {isDemo ? <DemoBanner /> : null}
        <TopBar
          isMobile={isMobile}
          isMenuOpen={!sidebar.isCollapsed}
          onToggleMenu={() => dispatch({ type: "toggled" })}
        />
      </div>
      <div className="flex flex-1">
        {isMobile ? (
          <MobileNav open={!sidebar.isCollapsed} onClose={() => dispatch({ type: "closed" })} />
        ) : (
          <Sidebar isCollapsed={sidebar.isCollapsed} onToggle={() => dispatch({ type: "toggled" })} />
        )}
        <main ref={main} id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <div className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-6 lg:px-8 lg:py-8">
            <Outlet />
          </div>
        </main>
      </div>
    </div>
  );
}
