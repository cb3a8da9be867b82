import type { TeamMember } from "@portal/contract/routes/team";
import type { ComponentProps } from "react";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { teamTexts } from "../texts.ts";
import { MemberBadges, MemberName, useMemberFacts } from "./member-cells.tsx";
import { MemberMenu } from "./member-menu.tsx";

interface MemberListProps {
  members: readonly TeamMember[];
  ownId: number;
  onAct: ComponentProps<typeof MemberMenu>["onAct"];
}

const facts = ["language", "phone", "leads", "sessions", "lastActive"] as const;
const cell = "px-3 py-2.5 align-middle";

/** The accounts as a table, where it is wide enough. */
export function MemberTable({ members, ownId, onAct }: MemberListProps) {
  const t = useTexts(teamTexts);
  const head = "px-3 py-2 text-start font-medium";
  return (
    <div className="overflow-hidden rounded-xl border bg-surface shadow-card">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{t("title")}</caption>
        <thead>
          <tr className="border-b bg-muted text-muted-foreground">
            <th scope="col" className={head}>
              {t("person")}
            </th>
            <th scope="col" className={head}>
              {t("role")}
            </th>
            {facts.map((fact) => (
              <th
                key={fact}
                scope="col"
                title={fact === "leads" ? t("leadsHint") : undefined}
                className={cn(head, fact === "leads" && "text-end")}
              >
                {t(fact)}
              </th>
            ))}
            <th scope="col" className={head}>
              <span className="sr-only">{t("actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} isSelf={member.id === ownId} onAct={onAct} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type MemberProps = ComponentProps<typeof MemberMenu>;

function MemberRow({ member, isSelf, onAct }: MemberProps) {
  const words = useMemberFacts(member);
  return (
    <tr className="border-b last:border-b-0 hover:bg-muted/50">
      <th scope="row" className={cn(cell, "min-w-56 text-start")}>
        <MemberName member={member} isSelf={isSelf} />
      </th>
      <td className={cell}>
        <MemberBadges member={member} />
      </td>
      {facts.map((fact) => (
        <td key={fact} className={cn(cell, "whitespace-nowrap tabular-nums", fact === "leads" && "text-end")}>
          {words[fact]}
        </td>
      ))}
      <td className={cn(cell, "w-px text-end")}>
        <MemberMenu member={member} isSelf={isSelf} onAct={onAct} />
      </td>
    </tr>
  );
}

/** The accounts as cards, where it is narrow. */
export function MemberCards({ members, ownId, onAct }: MemberListProps) {
  const t = useTexts(teamTexts);
  return (
    <ul aria-label={t("title")} className="grid gap-2.5">
      {members.map((member) => (
        <MemberCard key={member.id} member={member} isSelf={member.id === ownId} onAct={onAct} />
      ))}
    </ul>
  );
}

function MemberCard({ member, isSelf, onAct }: MemberProps) {
  const t = useTexts(teamTexts);
  const words = useMemberFacts(member);
  return (
    <li className="grid gap-3 rounded-xl border bg-surface p-4 shadow-card">
      <div className="flex items-start justify-between gap-2">
        <MemberName member={member} isSelf={isSelf} />
        <MemberMenu member={member} isSelf={isSelf} onAct={onAct} />
      </div>
      <MemberBadges member={member} />
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
        {facts.map((fact) => (
          <div key={fact} className="min-w-0">
            <dt className="text-muted-foreground text-xs">{t(fact)}</dt>
            <dd className="tabular-nums [overflow-wrap:anywhere]">{words[fact]}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
