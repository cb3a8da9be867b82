import type { TeamMember } from "@portal/contract/routes/team";
import {
  ArrowRightLeft,
  CalendarClock,
  EllipsisVertical,
  KeyRound,
  LogOut,
  type LucideIcon,
  Pencil,
  ShieldOff,
  Unlink,
  UserRoundCheck,
  UserRoundX,
} from "lucide-react";
import { type ComponentProps, type RefObject, useRef } from "react";
import { useRelativeTime } from "../../lib/clock.tsx";
import { cn } from "../../lib/cn.ts";
import { leadsOfLink } from "../../lib/drill-down.ts";
import { formatDate, formatNumber, formatPhone } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { rowCardClasses } from "../../ui/card.tsx";
import { DrillDownLink } from "../../ui/drill-down-link.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { Cell, HeadCell, RowName, Table, TableRow } from "../../ui/table.tsx";
import { stateText, teamMessages } from "./messages.ts";

interface MemberListProps {
  members: readonly TeamMember[];
  ownId: number;
  onAct: ComponentProps<typeof MemberMenu>["onAct"];
}

const facts = ["language", "phone", "leads", "sessions", "lastActive"] as const;

/** The accounts as a table, in wide windows. */
export function MemberTable({ members, ownId, onAct }: MemberListProps) {
  const t = useMessages(teamMessages);
  return (
    <Table
      caption={t("title")}
      head={
        <>
          <HeadCell>{t("person")}</HeadCell>
          <HeadCell>{t("role")}</HeadCell>
          {facts.map((fact) => (
            <HeadCell
              key={fact}
              title={fact === "leads" ? t("leadsHint") : undefined}
              isNumber={fact === "leads"}
            >
              {t(fact)}
            </HeadCell>
          ))}
          <HeadCell>
            <span className="sr-only">{t("actions")}</span>
          </HeadCell>
        </>
      }
    >
      {members.map((member) => (
        <MemberRow key={member.id} member={member} isSelf={member.id === ownId} onAct={onAct} />
      ))}
    </Table>
  );
}

type MemberProps = ComponentProps<typeof MemberMenu>;

function MemberRow({ member, isSelf, onAct }: MemberProps) {
  const words = useMemberFacts(member);
  return (
    <TableRow>
      <RowName className="min-w-56">
        <MemberName member={member} isSelf={isSelf} />
      </RowName>
      <Cell>
        <MemberBadges member={member} />
      </Cell>
      {facts.map((fact) => (
        <Cell key={fact} isNumber={fact === "leads"} className="whitespace-nowrap tabular-nums">
          {words[fact]}
        </Cell>
      ))}
      <Cell className="w-px text-end">
        <MemberMenu member={member} isSelf={isSelf} onAct={onAct} />
      </Cell>
    </TableRow>
  );
}

/** The accounts as cards, in narrow windows. */
export function MemberCards({ members, ownId, onAct }: MemberListProps) {
  const t = useMessages(teamMessages);
  return (
    <ul aria-label={t("title")} className="grid gap-2.5">
      {members.map((member) => (
        <MemberCard key={member.id} member={member} isSelf={member.id === ownId} onAct={onAct} />
      ))}
    </ul>
  );
}

function MemberCard({ member, isSelf, onAct }: MemberProps) {
  const t = useMessages(teamMessages);
  const words = useMemberFacts(member);
  return (
    <li className={cn(rowCardClasses, "grid gap-3")}>
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

/** Picture, name and email. */
function MemberName({ member, isSelf }: { member: TeamMember; isSelf: boolean }) {
  const t = useMessages(teamMessages);
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={member.name} image={member.profileImage} className="size-9" />
      <span className="min-w-0">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{member.name}</span>
          {isSelf ? <Badge tone="primary">{t("you")}</Badge> : null}
        </span>
        <span className="block font-normal text-muted-foreground text-xs [overflow-wrap:anywhere]">
          {member.email}
        </span>
      </span>
    </span>
  );
}

/** Badges of an account. */
function MemberBadges({ member }: { member: TeamMember }) {
  const t = useMessages(teamMessages);
  const { role, disabledAt, hasPassword, linked, availability } = member;
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={role === "admin" ? "violet" : "plain"}>{t(`role_${role}`)}</Badge>
      {disabledAt ? <Badge tone="danger">{t("closedOn", { date: formatDate(disabledAt) })}</Badge> : null}
      {disabledAt || availability.state === "available" ? null : (
        <Badge tone={availability.state === "away" ? "warning" : "plain"}>{stateText(availability, t)}</Badge>
      )}
      {linked ? <Badge tone="info">{t("linked")}</Badge> : null}
      {hasPassword || linked || disabledAt ? null : <Badge tone="warning">{t("noAccess")}</Badge>}
    </span>
  );
}

/** Texts of an account's columns. */
function useMemberFacts(member: TeamMember) {
  const t = useMessages(teamMessages);
  const { personalPhoneNumber: phone, sessions, lastActiveAt } = member;
  const lastActive = useRelativeTime(lastActiveAt);
  return {
    language: t(`language_${member.language}`),
    phone: phone ? formatPhone(phone) : t("noPhone"),
    leads: (
      <DrillDownLink
        rows={member.assigned > 0 ? leadsOfLink(member.id) : undefined}
        aria-label={t("leadsOf", { n: formatNumber(member.assigned), name: member.name })}
      >
        {formatNumber(member.assigned)}
      </DrillDownLink>
    ),
    sessions: sessions > 0 ? t("sessionsIn", { count: sessions }) : t("sessions_none"),
    lastActive: lastActive || t("never"),
  };
}

/** Actions of an administrator on an account. */
export type MemberAction =
  | "edit"
  | "availability"
  | "passwordLink"
  | "signOut"
  | "unlink"
  | "resetFactor"
  | "transfer"
  | "close"
  | "reopen";

const icons: Record<MemberAction, LucideIcon> = {
  edit: Pencil,
  availability: CalendarClock,
  passwordLink: KeyRound,
  signOut: LogOut,
  unlink: Unlink,
  resetFactor: ShieldOff,
  transfer: ArrowRightLeft,
  close: UserRoundX,
  reopen: UserRoundCheck,
};

/**
 * The actions that apply to an account. Users change their own password, sessions and hours in Account Settings, and cannot disable
 * themselves.
 */
function actionsFor(member: TeamMember, isSelf: boolean): MemberAction[] {
  const { disabledAt, sessions, leads, linked, secondFactor } = member;
  const isOpen = disabledAt === null;
  const offered: Record<MemberAction, boolean> = {
    edit: true,
    availability: isOpen && !isSelf,
    passwordLink: isOpen && !isSelf,
    signOut: isOpen && !isSelf && sessions > 0,
    unlink: linked && !isSelf,
    resetFactor: secondFactor && !isSelf,
    transfer: leads > 0,
    close: isOpen && !isSelf,
    reopen: !isOpen,
  };
  return (Object.keys(offered) as MemberAction[]).filter((action) => offered[action]);
}

interface MemberMenuProps {
  member: TeamMember;
  isSelf: boolean;
  onAct: (action: MemberAction, member: TeamMember, opener: RefObject<HTMLElement | null>) => void;
}

/** The menu of an account. */
function MemberMenu({ member, isSelf, onAct }: MemberMenuProps) {
  const t = useMessages(teamMessages);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button ref={trigger} variant="ghost" size="icon-sm" aria-label={t("menuOf", { name: member.name })}>
          <EllipsisVertical aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {actionsFor(member, isSelf).map((action) => {
          const Icon = icons[action];
          return (
            <DropdownMenuItem key={action} onSelect={() => onAct(action, member, trigger)}>
              <Icon aria-hidden />
              {t(action)}
            </DropdownMenuItem>
          );
        })}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
