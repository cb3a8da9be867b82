import type { UserStats } from "@portal/contract/routes/admin";
import { memo, type ReactNode, useRef } from "react";
import { cn } from "../../../lib/cn.ts";
import { callRows, convertedByRows, type DrillDownTarget, leadsOfRows } from "../../../lib/drill-down.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useWidth } from "../../../lib/use-width.ts";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { layoutOf } from "../../../ui/row-layout.ts";
import { formatCount } from "../format-spanish.ts";
import { adminMessages, monitorMessages } from "../messages.ts";
import { MetricTip } from "./metric-tip.tsx";
import { LastActivityCell, type Live, LiveCell, ProductivityBar, StatusCell } from "./user-cells.tsx";

/** The columns need so much room, in rem; below it everybody has a card. */
const sizes = { tableMin: 68, height: { table: 4, cards: 18 } };

type FigureKey =
  | "totalLeads"
  | "contactedToday"
  | "callsMade"
  | "smsCount"
  | "leadsConverted"
  | "followUpsScheduled";

/** Figures in the recorded order, and where the rows of each are. */
const figures: readonly {
  key: FigureKey;
  label: "leads" | "contactedToday" | "callsMade" | "sms" | "conversions" | "followUps";
  rows?: (id: number) => DrillDownTarget;
}[] = [
  { key: "totalLeads", label: "leads", rows: leadsOfRows },
  { key: "contactedToday", label: "contactedToday" },
  {
    key: "callsMade",
    label: "callsMade",
    rows: (rep) => callRows({ range: "all", rep, direction: "outbound" }),
  },
  { key: "smsCount", label: "sms" },
  { key: "leadsConverted", label: "conversions", rows: (rep) => convertedByRows(rep, "all") },
  { key: "followUpsScheduled", label: "followUps" },
];

interface UsersListProps {
  users: readonly UserStats[];
  liveOf: ReadonlyMap<number, Live>;
}

/** Everybody with all their figures, as a table or as cards. Columns have fixed widths: no figure that changes moves another. */
export function UsersList({ users, liveOf }: UsersListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const t = useMessages(monitorMessages);
  return (
    <div ref={frame}>
      {layoutOf(width, sizes) === "table" ? (
        <div className="overflow-hidden rounded-lg border">
          <table className="w-full table-fixed border-collapse text-sm">
            <caption className="sr-only">{t("users")}</caption>
            <Head />
            <tbody>
              {users.map((user) => (
                <UserRow key={user.id} user={user} live={liveOf.get(user.id)} />
              ))}
            </tbody>
          </table>
        </div>
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

function Head() {
  const t = useMessages(monitorMessages);
  const common = useMessages(adminMessages);
  const column = (label: ReactNode, className: string) => (
    <th scope="col" className={cn("px-2 py-2 align-bottom font-medium", className)}>
      {label}
    </th>
  );
  return (
    <thead>
      <tr className="border-b bg-muted text-muted-foreground text-xs">
        {column(common("user"), "px-3 text-start")}
        {column(
          <>
            {t("status")} <MetricTip figure={t("status")}>{t("how_status")}</MetricTip>
          </>,
          "w-28 text-start",
        )}
        {column(t("live"), "w-38 text-start")}
        {figures.map(({ key, label }) => (
          <th
            key={key}
            scope="col"
            className={cn("px-2 py-2 text-end align-bottom font-medium", widths[label])}
          >
            {t(label)}
          </th>
        ))}
        {column(
          <>
            {t("productivity")} <MetricTip figure={t("productivity")}>{t("how_productivity")}</MetricTip>
          </>,
          "w-36 text-start",
        )}
        {column(t("lastActivity"), "w-25 px-3 text-start")}
      </tr>
    </thead>
  );
}

interface UserProps {
  user: UserStats;
  live: Live | undefined;
}

/** Drawn again only where something of theirs has changed. */
const UserRow = memo(function UserRow({ user, live }: UserProps) {
  return (
    <tr className="border-b last:border-b-0 hover:bg-muted/50">
      <th scope="row" className="px-3 py-2 text-start font-medium">
        <span className="block truncate" title={user.name}>
          {user.name}
        </span>
        <span className="block truncate font-normal text-muted-foreground text-xs" title={user.email}>
          {user.email}
        </span>
      </th>
      <td className="px-2 py-2">
        <StatusCell lastActivity={user.lastActivity} isOnline={user.isOnline} />
      </td>
      <td className="px-2 py-2">
        <LiveCell live={live} isOnline={user.isOnline} />
      </td>
      {figures.map((figure) => (
        <td key={figure.key} className="px-2 py-2 text-end tabular-nums">
          <Figure user={user} figure={figure} />
        </td>
      ))}
      <td className="px-2 py-2">
        <ProductivityBar score={user.productivityScore} />
      </td>
      <td className="px-3 py-2 text-xs">
        <LastActivityCell lastActivity={user.lastActivity} />
      </td>
    </tr>
  );
});

/** The same on a narrow screen. */
const UserCard = memo(function UserCard({ user, live }: UserProps) {
  const t = useMessages(monitorMessages);
  return (
    <li className="grid content-start gap-3 rounded-xl border bg-surface p-4 shadow-card">
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
