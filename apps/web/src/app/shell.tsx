import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useReducer, useRef } from "react";
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
  const isMobile = useIsMobile();
  const { pathname } = useLocation();
  const [sidebar, dispatch] = useReducer(reduceSidebar, initialSidebar);
  const main = useRef<HTMLElement>(null);
  useFocusAfterNavigation(main);

  useEffect(() => {
    dispatch({ type: "navigated", pathname, isMobile });
  }, [pathname, isMobile]);

  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-60 rounded-md bg-primary px-4 py-2 font-medium text-primary-foreground focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("skipToContent")}
      </a>
      <DemoBanner />
      <TopBar
        isMobile={isMobile}
        isMenuOpen={!sidebar.isCollapsed}
        onToggleMenu={() => dispatch({ type: "toggled" })}
      />
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
