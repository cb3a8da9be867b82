import type { CurrentUser } from "@portal/contract/entities/user";
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { parseAllLeadsSearch } from "../features/all-leads/all-leads-search.ts";
import { parseHistorySearch } from "../features/call-history/history-filters.ts";
import { parseContactsSearch } from "../features/contacts/contacts-search.ts";
import { parseIntegrationsSearch } from "../features/integrations/integrations-search.ts";
import { parseLeadFilters } from "../features/leads/lead-filters.ts";
import { CallDeskRoot } from "./call-desk-root.tsx";
import { Crashed } from "./error-boundary.tsx";
import { NotFound } from "./not-found.tsx";
import { PagePending } from "./page-pending.tsx";
import { Shell } from "./shell.tsx";

interface RouterContext {
  client: QueryClient;
  user: CurrentUser;
}

const root = createRootRouteWithContext<RouterContext>()({ component: CallDeskRoot });
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

const leadsPage = lazyRouteComponent(() => import("../features/leads/leads-page.tsx"), "LeadsPage");
const placeholderPage = lazyRouteComponent(
  () => import("../features/placeholders/placeholder-page.tsx"),
  "PlaceholderPage",
);

const inShell = <const P extends `/${string}`>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => shell, path, component });

const adminLogin = createRoute({
  getParentRoute: () => root,
  path: "/admin/login",
  // Whoever gets here is signed in already: the login screen stands in front of every route.
  beforeLoad: ({ context: { user } }) => {
    throw redirect({ to: user.role === "admin" ? "/admin" : "/", replace: true });
  },
});

const routeTree = root.addChildren([
  shell.addChildren([
    createRoute({
      getParentRoute: () => shell,
      path: "/",
      validateSearch: parseLeadFilters,
      component: leadsPage,
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/dashboard",
      validateSearch: parseLeadFilters,
      component: leadsPage,
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/call-history",
      validateSearch: parseHistorySearch,
      component: lazyRouteComponent(
        () => import("../features/call-history/call-history-page.tsx"),
        "CallHistoryPage",
      ),
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/all-leads",
      validateSearch: parseAllLeadsSearch,
      component: lazyRouteComponent(() => import("../features/all-leads/all-leads-page.tsx"), "AllLeadsPage"),
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/contacts",
      validateSearch: parseContactsSearch,
      component: lazyRouteComponent(() => import("../features/contacts/contacts-page.tsx"), "ContactsPage"),
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/integrations",
      validateSearch: parseIntegrationsSearch,
      component: lazyRouteComponent(
        () => import("../features/integrations/integrations-page.tsx"),
        "IntegrationsPage",
      ),
    }),
    inShell(
      "/auto-dialer",
      lazyRouteComponent(() => import("../features/dialer/auto-dialer-page.tsx"), "AutoDialerPage"),
    ),
    inShell(
      "/calendar",
      lazyRouteComponent(() => import("../features/calendar/calendar-page.tsx"), "CalendarPage"),
    ),
    inShell(
      "/reports",
      lazyRouteComponent(() => import("../features/reports/reports-page.tsx"), "ReportsPage"),
    ),
    inShell(
      "/texts",
      lazyRouteComponent(() => import("../features/texts/texts-page.tsx"), "TextsPage"),
    ),
    inShell(
      "/analytics",
      lazyRouteComponent(() => import("../features/analytics/analytics-page.tsx"), "AnalyticsPage"),
    ),
    inShell(
      "/settings",
      lazyRouteComponent(() => import("../features/settings/settings-page.tsx"), "SettingsPage"),
    ),
    inShell(
      "/team-access",
      lazyRouteComponent(() => import("../features/team/team-page.tsx"), "TeamPage"),
    ),
    inShell("/account", placeholderPage),
    inShell("/integration-settings", placeholderPage),
    inShell(
      "/ghl-diagnostics",
      lazyRouteComponent(() => import("../features/diagnostics/diagnostics-page.tsx"), "DiagnosticsPage"),
    ),
    createRoute({ getParentRoute: () => shell, path: "$", component: NotFound }),
  ]),
  createRoute({
    getParentRoute: () => root,
    path: "/admin",
    beforeLoad: ({ context: { user } }) => {
      if (user.role !== "admin") throw redirect({ to: "/", replace: true });
    },
    component: lazyRouteComponent(() => import("../features/admin/admin-page.tsx"), "AdminPage"),
  }),
  adminLogin,
]);

/** Addresses hold plain texts: `?search=555`, not JSON. */
function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** The routes of specification §2 for whoever is signed in. */
export function createPortalRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingComponent: PagePending,
    defaultErrorComponent: Crashed,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
