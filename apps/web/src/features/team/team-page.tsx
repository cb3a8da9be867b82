import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { lateComponent } from "../../lib/late-module.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { TeamLoading } from "./team-loading.tsx";

// Loaded lazily from here, so that the recorded loading text is shown meanwhile.
const TeamView = lateComponent(() => import("./team-view.tsx"));
const AdminsOnly = lateComponent(() => import("./admins-only.tsx"));

/** The page /team-access, for administrators; others see an explanation. */
export function TeamPage() {
  const { data: user } = useQuery(currentUserQuery());
  if (!user) return null;
  return (
    <Suspense fallback={<TeamLoading />}>
      {user.role === "admin" ? <TeamView ownId={user.id} /> : <AdminsOnly />}
    </Suspense>
  );
}
