import { describe, expect, it } from "vitest";
import { initialSidebar, reduceSidebar } from "./sidebar.tsx";

const open = { isCollapsed: false };

describe("the sidebar", () => {
  it("is collapsed by default", () => {
    expect(initialSidebar).toEqual({ isCollapsed: true });
  });

  it("is toggled by the menu button", () => {
    const once = reduceSidebar(initialSidebar, { type: "toggled" });
    expect(once.isCollapsed).toBe(false);
    expect(reduceSidebar(once, { type: "toggled" }).isCollapsed).toBe(true);
  });

  it.each([
    { pathname: "/", isCollapsed: false },
    { pathname: "/dashboard", isCollapsed: false },
    { pathname: "/reports", isCollapsed: true },
    { pathname: "/settings", isCollapsed: true },
    { pathname: "/dashboard/else", isCollapsed: true },
  ])("is collapsed after a navigation to $pathname on a wide screen: $isCollapsed", (step) => {
    const state = reduceSidebar(open, { type: "navigated", pathname: step.pathname, isMobile: false });
    expect(state.isCollapsed).toBe(step.isCollapsed);
  });

  it.each(["/", "/dashboard", "/reports"])(
    "closes after a navigation to %s on a small screen",
    (pathname) => {
      expect(reduceSidebar(open, { type: "navigated", pathname, isMobile: true }).isCollapsed).toBe(true);
    },
  );

  it("stays collapsed on a navigation to the dashboard", () => {
    const state = reduceSidebar(initialSidebar, { type: "navigated", pathname: "/", isMobile: false });
    expect(state.isCollapsed).toBe(true);
  });
});
