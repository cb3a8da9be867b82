import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { currentUserQuery } from "../../lib/query-client.ts";
import { TeamLoading } from "./components/team-loading.tsx";

// Loaded from here, so that the recorded text stands there while they are.
const TeamView = lazy(() => import("./components/team-view.tsx"));
const AdminsOnly = lazy(() => import("./components/admins-only.tsx"));

/** /team-access: for administrators; others are told why not. */
export function TeamPage() {
  const { data: user } = useQuery(currentUserQuery());
  if (!user) return null;
  return (
    <Suspense fallback={<TeamLoading />}>
      {user.role === "admin" ? <TeamView ownId={user.id} /> : <AdminsOnly />}
    </Suspense>
  );
}
