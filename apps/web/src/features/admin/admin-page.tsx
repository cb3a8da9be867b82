import { Link, Navigate } from "@tanstack/react-router";
import { Activity, LogOut } from "lucide-react";
import { useTexts } from "../../lib/i18n.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Logo } from "../../ui/logo.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useAdminLogout, useAdminSession } from "./queries.ts";
import { adminTexts } from "./texts.ts";

/** The administrator's panel; without an administrator's session it redirects to / (specification §6). */
export function AdminPage() {
  const t = useTexts(adminTexts);
  const { session, isGone } = useAdminSession();
  const logout = useAdminLogout();

  if (isGone) return <Navigate to="/" replace />;
  if (!session.data) {
    return (
      <div className="grid min-h-dvh place-items-center">
        <Spinner className="size-6" />
      </div>
    );
  }
  const { user } = session.data;

  return (
    <div lang="es" className="min-h-dvh">
      <header className="sticky top-0 z-30 flex h-14 items-center justify-between gap-4 border-b bg-surface px-4 sm:px-6">
        <Logo />
        <div className="flex items-center gap-2">
          <Button asChild variant="ghost" className="hidden sm:inline-flex">
            <Link to="/">{t("portal")}</Link>
          </Button>
          <Button variant="secondary" pending={logout.isPending} onClick={() => logout.mutate()}>
            <LogOut aria-hidden />
            {t("logout")}
          </Button>
        </div>
      </header>
      <main className="mx-auto grid w-full max-w-7xl gap-6 px-4 py-6 sm:px-6 lg:px-8 lg:py-8">
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
        <EmptyState icon={Activity} title={t("comingTitle")} description={t("comingText")} />
      </main>
    </div>
  );
}
