import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useTexts } from "../../lib/i18n.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TeamView } from "./components/team-view.tsx";
import { teamTexts } from "./texts.ts";

/** /team-access: for administrators; others are told why not. */
export function TeamPage() {
  const t = useTexts(teamTexts);
  const { data: user } = useQuery(currentUserQuery());
  if (!user) return null;
  if (user.role === "admin") return <TeamView ownId={user.id} />;
  return (
    <div className="grid gap-6">
      <PageHeader title={t("title")} />
      <EmptyState icon={ShieldCheck} title={t("adminsOnlyTitle")} description={t("adminsOnlyText")} />
    </div>
  );
}
