import type { CurrentUser } from "@portal/contract/entities/user";
import { Link, Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { clearQueue, countUnsent } from "../../lib/offline/queue.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, Spinner } from "../../ui/button.tsx";
import { ConnectionStatus } from "../../ui/connection-status.tsx";
import { Logo } from "../../ui/logo.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import SignOutQuestion from "../offline/sign-out-question.tsx";
import { type AdminSearch, type AdminTab, adminTabs, parseAdminSearch } from "./admin-search.ts";
import { AuditTab } from "./components/audit-tab.tsx";
import { HealthTab } from "./components/health-tab.tsx";
import { MonitorTab } from "./components/monitor-tab.tsx";
import type { PartProps } from "./components/read-part.tsx";
import { RefusalsTab } from "./components/refusals-tab.tsx";
import { adminMessages } from "./messages.ts";
import { useAdminLogout, useAdminSession } from "./queries.ts";

/** The administrator's panel; without an administrator's session it redirects to /. */
export function AdminPage() {
  const { session, isGone } = useAdminSession();
  if (isGone) return <Navigate to="/" replace />;
  if (!session.data) {
    return (
      <div className="grid min-h-dvh place-items-center">
        <Spinner className="size-6" />
      </div>
    );
  }
  return <Panel user={session.data.user} />;
}

function Panel({ user }: { user: CurrentUser }) {
  const t = useMessages(adminMessages);
  const logout = useAdminLogout();
  const search = parseAdminSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (next: AdminSearch) =>
    void navigate({ to: ".", search: { ...search, ...next }, replace: true, resetScroll: false });
  const { tab = "monitor" } = search;
  const [unsent, setUnsent] = useState(0);
  /** Without a network signing out fails, so the question about unsent changes is skipped. */
  async function leave(): Promise<void> {
    const count = navigator.onLine ? await countUnsent(user.id) : 0;
    if (count === 0) logout.mutate();
    else setUnsent(count);
  }
  function leaveUnsent(): void {
    setUnsent(0);
    void clearQueue(user.id).then(() => logout.mutate());
  }

  return (
    <div lang="es" className="min-h-dvh">
      <header className="sticky top-0 z-30 [html[data-is-unconnected]_&]:z-45 flex h-14 items-center justify-between gap-4 border-b bg-surface px-4 sm:px-6">
        <Logo className="max-sm:[html[data-is-unconnected]_&]:hidden" />
        <ConnectionStatus isSpanish />
        <div className="flex shrink-0 items-center gap-2">
          <Button asChild variant="ghost" className="hidden sm:inline-flex">
            <Link to="/">{t("portal")}</Link>
          </Button>
          <Button variant="secondary" pending={logout.isPending} onClick={() => void leave()}>
            <LogOut aria-hidden />
            {t("logout")}
          </Button>
        </div>
      </header>
      <main className="mx-auto grid w-full max-w-7xl grid-cols-[minmax(0,1fr)] gap-5 px-4 py-6 sm:px-6 lg:px-8 lg:py-8">
        <PageHeader
          title={t("title")}
          subtitle={
            <span className="flex min-w-0 items-center gap-2.5">
              <Avatar name={user.name} image={user.profileImage} />
              <span className="min-w-0">
                {user.name}
                <span className="block truncate text-xs">{user.email}</span>
              </span>
            </span>
          }
        />
        <Tabs
          value={tab}
          onValueChange={(value) => change({ tab: value === "monitor" ? undefined : (value as AdminTab) })}
        >
          <TabsList aria-label={t("parts")}>
            {adminTabs.map((value) => (
              <TabsTrigger key={value} value={value} ref={value === tab ? reveal : undefined}>
                {t(`tab_${value}`)}
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value={tab}>
            <Part tab={tab} search={search} onChange={change} />
          </TabsContent>
        </Tabs>
      </main>
      <SignOutQuestion count={unsent} onSignOut={leaveUnsent} onClose={() => setUnsent(0)} />
    </div>
  );
}

/** Scrolls the selected tab into view, where the tabs are wider than the screen. */
function reveal(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function Part({ tab, ...props }: PartProps & { tab: AdminTab }) {
  switch (tab) {
    case "monitor":
      return <MonitorTab {...props} />;
    case "refusals":
      return <RefusalsTab {...props} />;
    case "audit":
      return <AuditTab {...props} />;
    case "health":
      return <HealthTab />;
  }
}
