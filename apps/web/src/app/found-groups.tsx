import type { CurrentUser } from "@portal/contract/entities/user";
import type { RouteResponse } from "@portal/contract/route";
import type { FoundLead, searchEverything } from "@portal/contract/routes/search";
import {
  CalendarClock,
  FileText,
  Keyboard,
  type LucideIcon,
  MessageSquare,
  Phone,
  StickyNote,
  UserPlus,
} from "lucide-react";
import type { ReactNode } from "react";
import { newLeadButtonMessages } from "../features/new-lead/messages.ts";
import { outcomeMessages } from "../features/telephony/call/messages.ts";
import { formatDate, formatPhone, formatTotal } from "../lib/format.ts";
import { useMessages } from "../lib/i18n.ts";
import { keyTable, singleKeys } from "../lib/keys.ts";
import type { LeadCommand, LeadInHand } from "../lib/lead-commands.ts";
import { StatusBadge } from "../ui/badge.tsx";
import { Keys } from "./key-sheet.tsx";
import { navItems } from "./nav-list.tsx";
import { paletteMessages } from "./palette-messages.ts";
import { shellMessages } from "./shell-messages.ts";

type SearchAnswer = RouteResponse<typeof searchEverything>;

/** The server's results: exact ones, and similar ones. */
export interface Found {
  answer: SearchAnswer | undefined;
  similar: SearchAnswer | undefined;
}

/**
 * What an option opens or starts: a lead's panel, an action on the lead that was open, a page, a new lead (with the typed number), the list
 * of keyboard shortcuts.
 */
type Does =
  | { kind: "lead"; leadId: number; act?: LeadCommand }
  | { kind: "act"; lead: LeadInHand; act: LeadCommand }
  | { kind: "page"; to: string; search?: Record<string, string> }
  | { kind: "newLead"; phone: string | null }
  | { kind: "help" };

export interface FoundOption {
  /** Identifies the option, also in later results. */
  id: string;
  does: Does;
  content: ReactNode;
}

export interface FoundGroup {
  id: string;
  label: string;
  /** The number of results, with a plus if there are more. */
  count?: string | undefined;
  options: FoundOption[];
}

const fold = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
const isPhoneNumber = (text: string) => /^\+?(?:[\s().-]*\d){7,15}$/.test(text);
const icon = "size-4 shrink-0 text-muted-foreground";

/** One option: icon, name and details. */
function Line({
  icon: Icon,
  title,
  detail,
  end,
}: {
  icon: LucideIcon;
  title: string;
  detail?: string;
  end?: ReactNode;
}) {
  return (
    <>
      <Icon aria-hidden className={icon} />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{title}</span>
        {detail ? <span className="block truncate text-muted-foreground text-xs">{detail}</span> : null}
      </span>
      {end}
    </>
  );
}

/** The keyboard shortcut of the option; hidden if shortcuts are off. */
function KeyHint({ keys }: { keys: string }) {
  if (!singleKeys.get()) return null;
  return (
    <span aria-hidden className="pointer-coarse:hidden">
      <Keys keys={keys} />
    </span>
  );
}

function LeadLine({ lead }: { lead: FoundLead }) {
  const t = useMessages(paletteMessages);
  const reach = [lead.phone && formatPhone(lead.phone), lead.email];
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <span className="font-medium">{lead.name}</span>
          {lead.company ? <span className="text-muted-foreground"> · {lead.company}</span> : null}
        </span>
        <span className="block truncate text-muted-foreground text-xs">
          {reach.filter(Boolean).join(" · ")}
        </span>
      </span>
      {lead.isOwn ? null : (
        <span className="max-w-32 truncate text-muted-foreground text-xs max-sm:hidden">
          {lead.salesRepName ?? t("nobodys")}
        </span>
      )}
      <StatusBadge status={lead.status} />
    </>
  );
}

interface Asked {
  typed: string;
  found: Found;
  user: CurrentUser;
  lead: LeadInHand | null;
}

const acts = [
  { act: "call", icon: Phone, label: "callLead" },
  { act: "text", icon: MessageSquare, label: "textLead" },
  { act: "followUp", icon: CalendarClock, label: "followUpLead" },
  { act: "note", icon: StickyNote, label: "noteLead" },
] as const;

/** The options in groups: the server's results, then actions and pages whose names contain the typed text. */
export function useFoundGroups({ typed, found, user, lead }: Asked): FoundGroup[] {
  const t = useMessages(paletteMessages);
  const shell = useMessages(shellMessages);
  const outcome = useMessages(outcomeMessages);
  const newLead = useMessages(newLeadButtonMessages);
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const holds = (label: string) => words.every((word) => fold(label).includes(word));
  const countOf = ({ count, isMore, isCut }: SearchAnswer["leads"] | SearchAnswer["notes"]) =>
    isCut ? t("cut") : count > 0 ? formatTotal(isMore ? `${count}+` : count) : undefined;

  const leadOption = (lead: FoundLead): FoundOption => ({
    id: `lead-${lead.id}`,
    does: { kind: "lead", leadId: lead.id },
    content: <LeadLine lead={lead} />,
  });
  const noteOption = (note: SearchAnswer["notes"]["items"][number]): FoundOption => ({
    id: `note-${note.leadId}`,
    does: { kind: "lead", leadId: note.leadId },
    content: <Line icon={StickyNote} title={note.excerpt} detail={note.leadName} />,
  });
  const textOption = (text: SearchAnswer["texts"]["items"][number]): FoundOption => ({
    id: `text-${text.id}`,
    does: { kind: "lead", leadId: text.leadId, act: "text" },
    content: (
      <Line icon={MessageSquare} title={text.excerpt} detail={`${text.leadName} · ${formatDate(text.at)}`} />
    ),
  });
  const callOption = (call: SearchAnswer["calls"]["items"][number]): FoundOption => ({
    id: `call-${call.id}`,
    does: { kind: "lead", leadId: call.leadId },
    content: (
      <Line
        icon={Phone}
        title={call.excerpt}
        detail={[call.leadName, formatDate(call.at), call.outcome && outcome(call.outcome)]
          .filter(Boolean)
          .join(" · ")}
      />
    ),
  });
  const { answer, similar } = found;
  const more = ({ count, items }: SearchAnswer["leads"] | SearchAnswer["calls"], input: PageInput) =>
    count > items.length ? [page(input)] : [];
  const search = { search: typed };
  const exact: FoundGroup[] = answer
    ? [
        {
          id: "leads",
          label: t("leadsGroup"),
          count: countOf(answer.leads),
          options: [
            ...answer.leads.items.map(leadOption),
            ...more(answer.leads, { id: "all-leads", to: "/all-leads", search, label: t("showAll") }),
          ],
        },
        {
          id: "notes",
          label: t("notesGroup"),
          count: countOf(answer.notes),
          options: answer.notes.items.map(noteOption),
        },
        {
          id: "texts",
          label: t("textsGroup"),
          count: countOf(answer.texts),
          options: answer.texts.items.map(textOption),
        },
        {
          id: "calls",
          label: t("callsGroup"),
          count: countOf(answer.calls),
          options: [
            ...answer.calls.items.map(callOption),
            ...more(answer.calls, { id: "all-calls", to: "/call-history", search, label: t("showCalls") }),
          ],
        },
      ]
    : [];
  const known = new Set(exact.flatMap(({ options }) => options.map(({ id }) => id)));
  const near: FoundOption[] = similar
    ? [
        ...similar.leads.items.map(leadOption),
        ...similar.notes.items.map(noteOption),
        ...similar.texts.items.map(textOption),
        ...similar.calls.items.map(callOption),
      ].filter(({ id }) => !known.has(id))
    : [];

  const pages: FoundOption[] = [
    ...navItems(user).map(({ to, label, icon }) => page({ id: to, to, label: shell(label), icon })),
    page({ id: "/auto-dialer", to: "/auto-dialer", label: t("dialer"), icon: Phone }),
    page({ id: "/texts", to: "/texts", label: t("texts"), icon: MessageSquare }),
  ]
    .filter(({ label }) => holds(label))
    .map(({ label: _label, ...option }) => option);
  const help: FoundOption = {
    id: "help",
    does: { kind: "help" },
    content: <Line icon={Keyboard} title={t("shortcuts")} end={<KeyHint keys={keyTable.help.keys} />} />,
  };
  // A number without a lead can become a new lead.
  const number = answer?.leads.count === 0 && isPhoneNumber(typed) ? typed : null;
  const newLeadLabel = number ? newLead("newLeadFor", { number }) : newLead("newLead");
  const newLeadOption: FoundOption = {
    id: "new-lead",
    does: { kind: "newLead", phone: number },
    content: <Line icon={UserPlus} title={newLeadLabel} />,
  };
  const name = lead ? lead.name : "";
  const ofLead: FoundOption[] = lead
    ? acts
        .map(({ act, icon, label }) => ({ act, icon, label: t(label, { name }) }))
        .filter(({ label }) => holds(label))
        .map(({ act, icon, label }) => ({
          id: `act-${act}`,
          does: { kind: "act", lead, act },
          content: <Line icon={icon} title={label} end={<KeyHint keys={keyTable[act].keys} />} />,
        }))
    : [];
  const local: FoundGroup[] = [
    { id: "acts", label: name, options: ofLead },
    { id: "new", label: newLead("newLead"), options: number || holds(newLeadLabel) ? [newLeadOption] : [] },
    { id: "pages", label: t("pagesGroup"), options: holds(t("shortcuts")) ? [...pages, help] : pages },
  ];
  return [...exact, { id: "similar", label: t("similar"), options: near }, ...local].filter(
    ({ options }) => options.length > 0,
  );
}

const goKeys = new Map(
  Object.values(keyTable).flatMap((entry) =>
    "to" in entry ? [[entry.to as string, entry.keys as string]] : [],
  ) as [string, string][],
);

interface PageInput {
  id: string;
  to: string;
  label: string;
  search?: Record<string, string>;
  icon?: LucideIcon;
}

const page = ({ id, to, label, search, icon = FileText }: PageInput): FoundOption & { label: string } => {
  const keys = search ? undefined : goKeys.get(to);
  return {
    id: `page-${id}`,
    label,
    does: { kind: "page", to, ...(search && { search }) },
    content: <Line icon={icon} title={label} end={keys ? <KeyHint keys={keys} /> : null} />,
  };
};
