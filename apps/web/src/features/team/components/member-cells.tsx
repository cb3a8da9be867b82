import type { TeamMember } from "@portal/contract/routes/team";
import { formatDate, formatNumber, formatPhone, formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { leadsOfRows } from "../../../lib/rows.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { RowsLink } from "../../../ui/rows-link.tsx";
import { teamTexts } from "../texts.ts";

/** Picture, name and address. */
export function MemberName({ member, isSelf }: { member: TeamMember; isSelf: boolean }) {
  const t = useTexts(teamTexts);
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

/** What is special about an account. */
export function MemberBadges({ member }: { member: TeamMember }) {
  const t = useTexts(teamTexts);
  const { role, disabledAt, hasPassword, linked } = member;
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={role === "admin" ? "violet" : "neutral"}>{t(`role_${role}`)}</Badge>
      {disabledAt ? <Badge tone="danger">{t("closedOn", { date: formatDate(disabledAt) })}</Badge> : null}
      {linked ? <Badge tone="info">{t("linked")}</Badge> : null}
      {hasPassword || linked || disabledAt ? null : <Badge tone="warning">{t("noAccess")}</Badge>}
    </span>
  );
}

/** The facts of an account in words, by the names of the columns. */
export function useMemberFacts(member: TeamMember) {
  const t = useTexts(teamTexts);
  const { personalPhoneNumber: phone, sessions, lastActiveAt } = member;
  return {
    language: t(`language_${member.language}`),
    phone: phone ? formatPhone(phone) : t("noPhone"),
    leads: (
      <RowsLink
        rows={member.assigned > 0 ? leadsOfRows(member.id) : undefined}
        aria-label={t("leadsOf", { n: formatNumber(member.assigned), name: member.name })}
      >
        {formatNumber(member.assigned)}
      </RowsLink>
    ),
    sessions: sessions > 0 ? t("sessionsIn", { count: sessions }) : t("sessions_none"),
    lastActive: lastActiveAt ? formatRelative(lastActiveAt) : t("never"),
  };
}
