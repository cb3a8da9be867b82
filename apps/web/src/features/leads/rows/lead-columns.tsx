import type { Lead } from "@portal/contract/entities/lead";
import type { LeadSort } from "@portal/contract/entities/lead-list";
import type { SystemLead } from "@portal/contract/routes/all-leads";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { RelativeTime } from "../../../lib/clock.tsx";
import { cn } from "../../../lib/cn.ts";
import { followUpState } from "../../../lib/follow-up.ts";
import {
  formatDate,
  formatDayAndTime,
  formatNumber,
  formatPhone,
  formatTime,
  formatTotal,
} from "../../../lib/format.ts";
import { defineMessages, type Translate, useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { useListColumns } from "../../../lib/list-address.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { useNarrow } from "../../../lib/use-width.ts";
import { CountBadge, PriorityBadge, StatusBadge } from "../../../ui/badge.tsx";
import { LeadLink, rowLinkClasses } from "../../../ui/lead-link.tsx";
import type { ListColumn } from "../../../ui/list-table.tsx";
import { UnsentMark } from "../../offline/unsent-mark.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { RowActions } from "./row-actions.tsx";

export const columnMessages = defineMessages("lead-columns", {
  name: ["Lead", "Prospecto"],
  counted: ["Leads ({n})", "Prospectos ({n})"],
  status: ["Status", "Estado"],
  lastAttempt: ["Last attempt", "Último intento"],
  followUp: ["Follow-up", "Seguimiento"],
  unread: ["Unread", "Sin leer"],
  unreadCount_one: ["{count} unread text", "{count} mensaje sin leer"],
  unreadCount_other: ["{count} unread texts", "{count} mensajes sin leer"],
  priority: ["Priority", "Prioridad"],
  phone: ["Phone", "Teléfono"],
  email: ["Email", "Correo"],
  source: ["Source", "Origen"],
  lastContact: ["Last contact", "Último contacto"],
  attempts: ["Attempts", "Intentos"],
  assigned: ["Assigned to", "Asignado a"],
  assignedAt: ["Assigned on", "Asignado el"],
  company: ["Company", "Empresa"],
  language: ["Language", "Idioma"],
  created: ["Created", "Creado"],
  actions: ["Call, SMS", "Acciones"],
  notCalled: ["Not called yet", "Aún sin llamar"],
  overdue: ["Overdue, {date}", "Atrasado, {date}"],
  today: ["Today", "Hoy"],
  todayAt: ["Today, {time}", "Hoy, {time}"],
  unassigned: ["Unassigned", "Sin asignar"],
  new_one: ["{count} new lead", "{count} prospecto nuevo"],
  new_other: ["{count} new leads", "{count} prospectos nuevos"],
  newMany_one: ["{count}+ new leads", "Más de {count} prospectos nuevos"],
  newMany_other: ["{count}+ new leads", "Más de {count} prospectos nuevos"],
});

const everyKey = [
  ...["name", "status", "lastAttempt", "followUp", "unread", "priority", "phone", "email", "company"],
  ...["language", "source", "lastContact", "attempts", "assigned", "assignedAt", "created"],
] as const;
type LeadColumn = (typeof everyKey)[number];

/** Default columns of each page; the first one is always shown. */
const firstColumns = {
  leads: ["name", "status", "lastAttempt", "followUp", "unread"],
  "all-leads": ["name", "status", "lastAttempt", "assigned", "followUp", "unread", "created"],
} as const satisfies Record<string, readonly LeadColumn[]>;

export type LeadPage = keyof typeof firstColumns;

/** Available and default columns by page and role: in All Leads only administrators see unread SMS. */
function leadColumnKeys(page: LeadPage, isAdmin: boolean) {
  const isKnown = (key: LeadColumn) => key !== "unread" || page === "leads" || isAdmin;
  return { all: everyKey.filter(isKnown), first: firstColumns[page].filter(isKnown) };
}

/** A lead of either page. */
export type ListedLead = SystemLead & Partial<Lead>;

/** Columns whose content is shown below the name in a narrow list. */
const belowName: ReadonlySet<string> = new Set(["status", "lastAttempt", "unread", "company"]);

type T = Translate<typeof columnMessages.pairs>;

const muted = "text-muted-foreground";
const orNothing = (value: string | null) => value ?? <span className={muted}>—</span>;

/** Name and company; in a narrow list also status and last attempt. */
function Name({ lead, isNarrow, t }: { lead: ListedLead; isNarrow: boolean; t: T }) {
  const label = useMessages(leadLabelMessages);
  return (
    <>
      <span className={cn("block truncate", isNarrow && "leading-4.5")}>
        <LeadLink
          leadId={lead.id}
          data-control="open"
          title={lead.company ? `${lead.name} · ${lead.company}` : lead.name}
          className={cn("font-medium", rowLinkClasses)}
        >
          {lead.name}
        </LeadLink>
        {isNarrow && lead.unreadTexts ? (
          <>
            {" "}
            <Unread lead={lead} t={t} />
          </>
        ) : null}
        <UnsentMark leadId={lead.id} isSmall className="relative z-1 ml-1.5 align-middle" />
        {lead.company ? <span className={muted}> · {lead.company}</span> : null}
      </span>
      {isNarrow ? (
        <span className={cn("flex gap-1 truncate text-xs leading-4", muted)}>
          <span className="shrink-0">{label(lead.status)} ·</span>
          {lead.attempts > 0 ? <LastAttempt lead={lead} className="min-w-0" /> : t("notCalled")}
        </span>
      ) : null}
    </>
  );
}

/** Within half a year, in ms, a follow-up's time is shown in place of its year. */
const nearMs = 182 * 86_400_000;

function FollowUp({ lead, t }: { lead: ListedLead; t: T }) {
  const { nextFollowUpDate: date, nextFollowUpAt: at } = lead;
  if (!date) return <span className={muted}>—</span>;
  const now = new Date();
  const state = lead.status === "converted" ? "upcoming" : followUpState(date, now);
  if (state === "overdue")
    return <span className="font-medium text-danger-text">{t("overdue", { date: formatDate(date) })}</span>;
  if (state === "today") {
    const text = at ? t("todayAt", { time: formatTime(at) }) : t("today");
    return <span className="font-medium text-warning-text">{text}</span>;
  }
  const isNear = at && Math.abs(new Date(at).getTime() - now.getTime()) < nearMs;
  return isNear ? formatDayAndTime(at) : formatDate(date);
}

function Unread({ lead: { unreadTexts }, t }: { lead: ListedLead; t: T }) {
  if (!unreadTexts) return null;
  return <CountBadge count={unreadTexts} label={t("unreadCount", { count: unreadTexts })} />;
}

/** The confirmed language, or the guessed one with a question mark. */
function Language({ lead: { language, languageGuess } }: { lead: ListedLead }) {
  const t = useMessages(leadLanguageMessages);
  if (language) return t(language);
  if (!languageGuess) return orNothing(null);
  return (
    <span className={muted}>
      {t(`guess_${languageGuess}`)} <span className="sr-only">({t("guessed")})</span>
    </span>
  );
}

interface ColumnsInput {
  t: T;
  /** The number of leads as text; null if unknown. */
  total: string | null;
  /** Keys of the shown columns, separated by commas. */
  shown: string;
  /** There is room for one column only. */
  isNarrow: boolean;
}

/** The shown columns, in order. */
function leadColumns({ t, total, shown, isNarrow }: ColumnsInput): ListColumn<ListedLead, LeadSort>[] {
  const all: Record<LeadColumn, Omit<ListColumn<ListedLead, LeadSort>, "key" | "label">> = {
    name: {
      width: isNarrow ? 9 : 13,
      grow: 1.5,
      isFree: true,
      sort: { up: "name", down: "name_desc", first: "name" },
      cell: (lead) => <Name lead={lead} isNarrow={isNarrow} t={t} />,
    },
    status: { width: 7.5, cell: ({ status }) => <StatusBadge isQuiet status={status} /> },
    lastAttempt: {
      width: 13,
      grow: 1.5,
      sort: { up: "attempt", down: "attempt_desc", first: "attempt_desc" },
      cell: (lead) =>
        lead.attempts > 0 ? <LastAttempt lead={lead} /> : <span className={muted}>{t("notCalled")}</span>,
    },
    followUp: {
      width: 10.5,
      sort: { up: "follow_up", first: "follow_up" },
      cell: (lead) => <FollowUp lead={lead} t={t} />,
    },
    unread: { width: 4.5, cell: (lead) => <Unread lead={lead} t={t} /> },
    priority: { width: 6, cell: ({ priority }) => <PriorityBadge isQuiet priority={priority} /> },
    phone: { width: 8.5, cell: ({ phone }) => orNothing(phone && formatPhone(phone)) },
    email: { width: 11, grow: 1, cell: ({ email }) => orNothing(email) },
    company: { width: 9, grow: 1, cell: ({ company }) => orNothing(company) },
    language: { width: 6, cell: (lead) => <Language lead={lead} /> },
    source: { width: 7, grow: 0.5, cell: ({ leadSource }) => orNothing(leadSource) },
    lastContact: {
      width: 8,
      cell: ({ lastContactedAt }) =>
        lastContactedAt ? <RelativeTime at={lastContactedAt} /> : orNothing(null),
    },
    attempts: { width: 5, isEnd: true, cell: ({ attempts }) => formatNumber(attempts) },
    assigned: { width: 8, grow: 0.5, cell: ({ salesRepName }) => salesRepName ?? t("unassigned") },
    assignedAt: { width: 7, cell: ({ assignedAt }) => orNothing(assignedAt && formatDate(assignedAt)) },
    created: {
      width: 7,
      sort: { up: "oldest", down: "newest", first: "newest" },
      cell: ({ createdAt }) => formatDate(createdAt),
    },
  };
  const keys = shown
    .split(",")
    .filter((key): key is LeadColumn => key in all && !(isNarrow && belowName.has(key)));
  return ["name" as const, ...keys.filter((key) => key !== "name")].map((key) => ({
    key,
    label: key === "name" && total !== null ? t("counted", { n: total }) : t(key),
    ...all[key],
  }));
}

/** Whether the row has data on contact refusals. */
const isAtWork = (lead: ListedLead): lead is Lead => lead.callRefusal !== undefined;

/** The column with Call and SMS. */
export const actionsColumn = (t: T): ListColumn<ListedLead, LeadSort> => ({
  key: "actions",
  label: t("actions"),
  width: window.matchMedia("(pointer: coarse)").matches ? 5.75 : 4.25,
  isEnd: true,
  isFree: true,
  cell: (lead) => (isAtWork(lead) ? <RowActions lead={lead} /> : null),
});

interface LeadColumnsInput {
  page: LeadPage;
  /** The total as the server reports it; may end in '+'. */
  total: string | null;
  /** Columns from the address. */
  inAddress: string | undefined;
}

/** Available and default columns of a page for this user. */
export function useLeadColumnKeys(page: LeadPage) {
  const { data: user } = useQuery(currentUserQuery());
  const isAdmin = user?.role === "admin";
  return useMemo(() => leadColumnKeys(page, isAdmin), [page, isAdmin]);
}

/** The columns of rows of leads by the user's setting, and the width of their element. */
export function useLeadColumns({ page, total, inAddress }: LeadColumnsInput) {
  const t = useMessages(columnMessages);
  const { box, isNarrow } = useNarrow();
  const keys = useLeadColumnKeys(page);
  const wanted = useListColumns(page, { inAddress, first: keys.first });
  const shown = wanted
    .split(",")
    .filter((each) => keys.all.some((key) => key === each))
    .join(",");
  const counted = total === null ? null : formatTotal(total);
  const columns = useMemo(
    () => leadColumns({ t, total: counted, shown, isNarrow }),
    [t, counted, shown, isNarrow],
  );
  return { box, columns };
}
