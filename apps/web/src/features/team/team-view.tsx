import type { TeamMember } from "@portal/contract/routes/team";
import { useQuery } from "@tanstack/react-query";
import { SearchX, UserPlus } from "lucide-react";
import { type RefObject, Suspense, useRef, useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { lateComponent } from "../../lib/late-module.ts";
import { useWidth } from "../../lib/use-width.ts";
import { Button } from "../../ui/button.tsx";
import { FilterBar, filterSelectClasses } from "../../ui/filter-bar.tsx";
import { EmptyState, ListFailed } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Select } from "../../ui/select.tsx";
import { type MemberAction, MemberCards, MemberTable } from "./member-rows.tsx";
import { teamMessages } from "./messages.ts";
import { type AccountState, accountStates, filterTeam, teamQuery } from "./queries.ts";
import { TeamLoading } from "./team-loading.tsx";

const MemberDialogs = lateComponent(() => import("./member-dialogs.tsx"));

/** Minimum width of the table, in px. */
const tableMinPx = 880;
/** Number of accounts shown initially, and added by each press on "more". */
const pageSize = 100;
const searchMax = 100;

/** The action in progress, its account, and the element that gets the focus afterwards. */
interface Act {
  action: MemberAction | "add";
  member: TeamMember | null;
  opener: RefObject<HTMLElement | null>;
}

/** All accounts with their actions. */
export default function TeamView({ ownId }: { ownId: number }) {
  const t = useMessages(teamMessages);
  const team = useQuery(teamQuery());
  const add = useRef<HTMLButtonElement>(null);
  const [act, setAct] = useState<Act | null>(null);
  if (team.isPending) return <TeamLoading />;
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t("title")}
        subtitle={t("subtitle")}
        actions={
          <Button ref={add} onClick={() => setAct({ action: "add", member: null, opener: add })}>
            <UserPlus aria-hidden />
            {t("add")}
          </Button>
        }
      />
      {team.data ? (
        <TeamList
          team={team.data}
          ownId={ownId}
          onAct={(action, member, opener) => setAct({ action, member, opener })}
        />
      ) : (
        <ListFailed found={team} title={t("failedTitle")} />
      )}
      {act ? (
        <Suspense>
          <MemberDialogs {...act} team={team.data ?? []} ownId={ownId} onClose={() => setAct(null)} />
        </Suspense>
      ) : null}
    </div>
  );
}

interface TeamListProps {
  team: readonly TeamMember[];
  ownId: number;
  onAct: (action: MemberAction, member: TeamMember, opener: RefObject<HTMLElement | null>) => void;
}

function TeamList({ team, ownId, onAct }: TeamListProps) {
  const t = useMessages(teamMessages);
  const list = useRef<HTMLDivElement>(null);
  const width = useWidth(list);
  const [search, setSearch] = useState("");
  const [state, setState] = useState<AccountState>("all");
  const [shown, setShown] = useState(pageSize);
  const found = filterTeam(team, { search, state });
  const members = found.slice(0, shown);
  const left = found.length - members.length;
  const List = width >= tableMinPx ? MemberTable : MemberCards;
  const clear = () => {
    setSearch("");
    setState("all");
  };
  return (
    <div className="grid gap-4">
      <FilterBar
        search={search}
        onSearch={setSearch}
        searchLabel={t("search")}
        searchPlaceholder={t("searchPlaceholder")}
        maxLength={searchMax}
        clearLabel={t("clear")}
        onClear={search !== "" || state !== "all" ? clear : null}
      >
        <Select
          aria-label={t("state")}
          value={state}
          onValueChange={setState}
          options={accountStates.map((value) => ({ value, label: t(`state_${value}`) }))}
          className={filterSelectClasses}
        />
      </FilterBar>
      <div ref={list} className="grid gap-3">
        <p role="status" className="text-muted-foreground text-sm">
          {t("shown", { count: found.length, n: formatNumber(found.length) })}
        </p>
        {members.length > 0 ? (
          <List members={members} ownId={ownId} onAct={onAct} />
        ) : (
          <EmptyState icon={SearchX} title={t("none")} description={t("noneText")} />
        )}
        {left > 0 ? (
          <Button
            variant="secondary"
            className="justify-self-center"
            onClick={() => setShown(shown + pageSize)}
          >
            {t("more", { count: Math.min(left, pageSize) })}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
