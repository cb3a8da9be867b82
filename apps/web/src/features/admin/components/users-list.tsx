import type { UserStats } from "@portal/contract/routes/admin";
import { CircleHelp } from "lucide-react";
import { memo, useRef } from "react";
import { cn } from "../../../lib/cn.ts";
import { callsLink, convertedByLink, type DrillDownTarget, leadsOfLink } from "../../../lib/drill-down.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useWidth } from "../../../lib/use-width.ts";
import { rowCardClasses } from "../../../ui/card.tsx";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { Cell, HeadCell, layoutOf, RowName, Table, TableRow } from "../../../ui/table.tsx";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { formatCount } from "../format-spanish.ts";
import { adminMessages, monitorMessages } from "../messages.ts";
import { LastActivityCell, type Live, LiveCell, ProductivityBar, StatusCell } from "./user-cells.tsx";

/** Minimum width of the table in rem; below it users are shown as cards. */
const sizes = { tableMin: 68, height: { table: 4, cards: 18 } };

type FigureKey =
  | "totalLeads"
  | "contactedToday"
  | "callsMade"
  | "smsCount"
  | "leadsConverted"
  | "followUpsScheduled";

/** Figures in the recorded order, with links to their rows. */
const figures: readonly {
  key: FigureKey;
  label: "leads" | "contactedToday" | "callsMade" | "sms" | "conversions" | "followUps";
  rows?: (id: number) => DrillDownTarget;
}[] = [
  { key: "totalLeads", label: "leads", rows: leadsOfLink },
  { key: "contactedToday", label: "contactedToday" },
  {
    key: "callsMade",
    label: "callsMade",
    rows: (rep) => callsLink({ range: "all", rep, direction: "outbound" }),
  },
  { key: "smsCount", label: "sms" },
  { key: "leadsConverted", label: "conversions", rows: (rep) => convertedByLink(rep, "all") },
  { key: "followUpsScheduled", label: "followUps" },
];

interface UsersListProps {
  users: readonly UserStats[];
  liveOf: ReadonlyMap<number, Live>;
}

/** All users with their figures, as a table or cards. Columns have fixed widths, so that changing figures move nothing. */
export function UsersList({ users, liveOf }: UsersListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const t = useMessages(monitorMessages);
  return (
    <div ref={frame}>
      {layoutOf(width, sizes) === "table" ? (
        <Table isFixed caption={t("users")} head={<HeadCells />}>
          {users.map((user) => (
            <UserRow key={user.id} user={user} live={liveOf.get(user.id)} />
          ))}
        </Table>
      ) : (
        <ul aria-label={t("users")} className="grid gap-3 md:grid-cols-2">
          {users.map((user) => (
            <UserCard key={user.id} user={user} live={liveOf.get(user.id)} />
          ))}
        </ul>
      )}
    </div>
  );
}

const widths = {
  leads: "w-23",
  contactedToday: "w-24",
  callsMade: "w-21",
  sms: "w-14",
  conversions: "w-26",
  followUps: "w-26",
} as const;

function HeadCells() {
  const t = useMessages(monitorMessages);
  const common = useMessages(adminMessages);
  return (
    <>
      <HeadCell>{common("user")}</HeadCell>
      <HeadCell className="w-28">
        {t("status")} <MetricTip figure={t("status")}>{t("how_status")}</MetricTip>
      </HeadCell>
      <HeadCell className="w-38">{t("live")}</HeadCell>
      {figures.map(({ key, label }) => (
        <HeadCell key={key} isNumber className={cn("py-1 sm:px-2", widths[label])}>
          {t(label)}
        </HeadCell>
      ))}
      <HeadCell className="w-36">
        {t("productivity")} <MetricTip figure={t("productivity")}>{t("how_productivity")}</MetricTip>
      </HeadCell>
      <HeadCell className="w-25 py-1">{t("lastActivity")}</HeadCell>
    </>
  );
}

interface UserProps {
  user: UserStats;
  live: Live | undefined;
}

/** Memoized, as only some rows change at each poll. */
const UserRow = memo(function UserRow({ user, live }: UserProps) {
  return (
    <TableRow>
      <RowName>
        <span className="block truncate" title={user.name}>
          {user.name}
        </span>
        <span className="block truncate font-normal text-muted-foreground text-xs" title={user.email}>
          {user.email}
        </span>
      </RowName>
      <Cell>
        <StatusCell lastActivity={user.lastActivity} isOnline={user.isOnline} />
      </Cell>
      <Cell>
        <LiveCell live={live} isOnline={user.isOnline} />
      </Cell>
      {figures.map((figure) => (
        <Cell key={figure.key} isNumber className="sm:px-2">
          <Figure user={user} figure={figure} />
        </Cell>
      ))}
      <Cell>
        <ProductivityBar score={user.productivityScore} />
      </Cell>
      <Cell className="text-xs">
        <LastActivityCell lastActivity={user.lastActivity} />
      </Cell>
    </TableRow>
  );
});

/** The same as a card. */
const UserCard = memo(function UserCard({ user, live }: UserProps) {
  const t = useMessages(monitorMessages);
  return (
    <li className={cn(rowCardClasses, "grid content-start gap-3")}>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="truncate font-semibold text-sm leading-5">{user.name}</h3>
          <p className="truncate text-muted-foreground text-xs">{user.email}</p>
        </div>
        <StatusCell lastActivity={user.lastActivity} isOnline={user.isOnline} />
      </div>
      <LiveCell live={live} isOnline={user.isOnline} />
      <dl className="grid grid-cols-3 gap-x-2 gap-y-2.5 text-sm">
        {figures.map((figure) => (
          <div key={figure.key} className="min-w-0">
            <dt className="truncate text-muted-foreground text-xs">{t(figure.label)}</dt>
            <dd className="font-medium tabular-nums">
              <Figure user={user} figure={figure} />
            </dd>
          </div>
        ))}
        <div className="col-span-2 min-w-0">
          <dt className="text-muted-foreground text-xs">{t("productivity")}</dt>
          <dd>
            <ProductivityBar score={user.productivityScore} />
          </dd>
        </div>
        <div className="min-w-0">
          <dt className="truncate text-muted-foreground text-xs">{t("lastActivity")}</dt>
          <dd className="text-xs leading-5">
            <LastActivityCell lastActivity={user.lastActivity} />
          </dd>
        </div>
      </dl>
    </li>
  );
});

function Figure({ user, figure }: { user: UserStats; figure: (typeof figures)[number] }) {
  const value = user[figure.key];
  return (
    <DrillDownLink rows={value > 0 ? figure.rows?.(user.id) : undefined}>{formatCount(value)}</DrillDownLink>
  );
}

/** Explains a figure on hover and focus. The table is followed by the same text for touch screens. */
export function MetricTip({ figure, children }: { figure: string; children: string }) {
  const t = useMessages(monitorMessages);
  return (
    <Tooltip content={children}>
      <button
        type="button"
        aria-label={t("meaning", { figure })}
        className="relative inline-grid size-5 shrink-0 place-items-center rounded-full align-middle text-muted-foreground hover:text-foreground pointer-coarse:after:absolute pointer-coarse:after:-inset-3"
      >
        <CircleHelp aria-hidden className="size-3.5" />
      </button>
    </Tooltip>
  );
}
