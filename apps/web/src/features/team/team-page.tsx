import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { lateComponent } from "../../lib/late-module.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { TeamLoading } from "./team-loading.tsx";

// Loaded from here, so that the recorded text stands there while they are.
const TeamView = lateComponent(() => import("./team-view.tsx"));
const AdminsOnly = lateComponent(() => import("./admins-only.tsx"));

/** /team-access: for administrators; others see why not. */
export function TeamPage() {
  const { data: user } = useQuery(currentUserQuery());
  if (!user) return null;
  return (
    <Suspense fallback={<TeamLoading />}>
      {user.role === "admin" ? <TeamView ownId={user.id} /> : <AdminsOnly />}
    </Suspense>
  );
}
