import type { CurrentUser } from "@portal/contract/entities/user";
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { parseAllLeadsSearch } from "../features/all-leads/all-leads-search.ts";
import { parseHistorySearch } from "../features/call-history/history-search.ts";
import { parseContactsSearch } from "../features/clients/contacts-search.ts";
import { parseInboxSearch } from "../features/inbox/inbox-search.ts";
import { parseIntegrationsSearch } from "../features/integrations/integrations-search.ts";
import { parseLeadFilters } from "../features/leads/lead-search.ts";
import { leadPages, prefetchLeads } from "../features/leads/queries.ts";
import { fetchCode } from "../lib/connection.ts";
import { isDemoMode } from "../lib/document.ts";
import { useMessages } from "../lib/i18n.ts";
import { leadPanel, leadPanelRewrite, withOpenLead } from "../lib/lead-panel.ts";
import { Button, Spinner } from "../ui/button.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Crashed } from "./error-boundary.tsx";
import { loadLeadPanel, PageRoot } from "./page-root.tsx";
import { Shell } from "./shell.tsx";
import { shellMessages } from "./shell-messages.ts";

interface RouterContext {
  client: QueryClient;
  user: CurrentUser;
}

const root = createRootRouteWithContext<RouterContext>()({ component: PageRoot });
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

/** A page whose code loads during the navigation; the previous page stays visible meanwhile. */
const latePage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => fetchCode(load), name);

const leadsPage = latePage(() => import("../features/leads/leads-page.tsx"), "LeadsPage");
const placeholderPage = latePage(() => import("./placeholder-page.tsx"), "PlaceholderPage");

const inShell = <const P extends `/${string}`>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => shell, path, component });

/** The leads are requested before the page renders, so that its first rendering shows them; the page does not wait for them. */
const leadsRoute = <const P extends "/" | "/dashboard">(path: P) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    validateSearch: parseLeadFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { client, user }, deps, cause }) => {
      const areLeadsKnown = client.getQueryData(leadPages(deps).queryKey) !== undefined;
      if (cause !== "preload") prefetchLeads(client, user, deps);
      return { areLeadsKnown };
    },
    component: leadsPage,
  });

/** Visitors here are signed in: the auth guard shows the login screen before any route. */
const signIn = <const P extends `/${string}`>(path: P) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: ({ context: { user } }) => {
      throw redirect({ to: user.role === "admin" ? "/admin" : "/", replace: true });
    },
  });

const routeTree = root.addChildren([
  shell.addChildren([
    leadsRoute("/"),
    leadsRoute("/dashboard"),
    createRoute({
      getParentRoute: () => shell,
      path: "/inbox",
      validateSearch: parseInboxSearch,
      component: latePage(() => import("../features/inbox/inbox-page.tsx"), "InboxPage"),
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/call-history",
      validateSearch: parseHistorySearch,
      component: latePage(() => import("../features/call-history/call-history-page.tsx"), "CallHistoryPage"),
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/all-leads",
      validateSearch: parseAllLeadsSearch,
      component: latePage(() => import("../features/all-leads/all-leads-page.tsx"), "AllLeadsPage"),
    }),
    inShell(
      "/duplicates",
      latePage(() => import("../features/all-leads/duplicates-page.tsx"), "DuplicatesPage"),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: "/contacts",
      validateSearch: parseContactsSearch,
      component: latePage(() => import("../features/clients/contacts-page.tsx"), "ContactsPage"),
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/integrations",
      validateSearch: parseIntegrationsSearch,
      component: latePage(() => import("../features/integrations/integrations-page.tsx"), "IntegrationsPage"),
    }),
    inShell(
      "/today",
      latePage(() => import("../features/today/today-page.tsx"), "TodayPage"),
    ),
    inShell(
      "/auto-dialer",
      latePage(() => import("../features/dialer/auto-dialer-page.tsx"), "AutoDialerPage"),
    ),
    inShell(
      "/calendar",
      latePage(() => import("../features/meetings/calendar-page.tsx"), "CalendarPage"),
    ),
    inShell(
      "/reports",
      latePage(() => import("../features/metrics/reports/reports-page.tsx"), "ReportsPage"),
    ),
    inShell(
      "/texts",
      latePage(() => import("../features/sms/history/sms-history-page.tsx"), "SmsHistoryPage"),
    ),
    inShell(
      "/analytics",
      latePage(() => import("../features/metrics/analytics/analytics-page.tsx"), "AnalyticsPage"),
    ),
    inShell(
      "/settings",
      latePage(() => import("../features/identity/settings/settings-page.tsx"), "SettingsPage"),
    ),
    inShell(
      "/team-access",
      latePage(() => import("../features/team/team-page.tsx"), "TeamPage"),
    ),
    inShell("/account", placeholderPage),
    inShell("/integration-settings", placeholderPage),
    inShell(
      "/ghl-diagnostics",
      latePage(() => import("../features/diagnostics/diagnostics-page.tsx"), "DiagnosticsPage"),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: "/go-live",
      beforeLoad: ({ context: { user } }) => {
        if (user.role !== "admin") throw redirect({ to: "/", replace: true });
      },
      component: latePage(() => import("../features/go-live/go-live-page.tsx"), "GoLivePage"),
    }),
    // The page exists in demo mode only.
    ...(isDemoMode()
      ? [
          inShell(
            "/kit",
            latePage(() => import("./kit/kit-page.tsx"), "KitPage"),
          ),
        ]
      : []),
    createRoute({ getParentRoute: () => shell, path: "$", component: NotFound }),
  ]),
  createRoute({
    getParentRoute: () => root,
    path: "/admin",
    beforeLoad: ({ context: { user }, location: { search } }) => {
      if (user.role !== "admin") throw redirect({ to: "/", search: withOpenLead({})(search), replace: true });
    },
    component: latePage(() => import("../features/admin/admin-page.tsx"), "AdminPage"),
  }),
  signIn("/admin/login"),
  signIn("/login"),
]);

/** Search parameters are plain text, `?search=555`, not JSON. */
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

/** The routes of signed-in users. */
export function createPortalRouter(context: RouterContext) {
  const router = createRouter({
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    rewrite: leadPanelRewrite,
    defaultPreload: "intent",
    defaultPendingComponent: PagePending,
    defaultErrorComponent: Crashed,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    // Scroll positions are the same with and without a lead's panel.
    getScrollRestorationKey: ({ state, href }) => state.leadOpenedFrom ?? state.__TSR_key ?? href,
  });
  Object.assign(leadPanel, { router, load: loadLeadPanel });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}

function NotFound() {
  const t = useMessages(shellMessages);
  return (
    <div className="grid min-h-[60vh] place-items-center content-center gap-5 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-primary-soft text-primary-text">
        <Compass aria-hidden className="size-6" />
      </span>
      <PageHeader title={t("notFoundTitle")} subtitle={t("notFoundText")} />
      <Button asChild>
        <Link to="/">{t("backToDashboard")}</Link>
      </Button>
    </div>
  );
}

/** Shown if a page's code takes a second to load. */
function PagePending() {
  return (
    <div className="grid min-h-[50vh] place-items-center text-muted-foreground">
      <Spinner className="size-6" />
    </div>
  );
}
