import {
  type DuplicateKey,
  type Duplicates,
  duplicateKeys,
  listDuplicates,
} from "@portal/contract/routes/leads";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CopyCheck, Merge } from "lucide-react";
import { memo, useRef } from "react";
import { cn } from "../../lib/cn.ts";
import { formatPhone, formatTotal } from "../../lib/format.ts";
import { defineMessages, useMessages } from "../../lib/i18n.ts";
import { lateComponent } from "../../lib/late-module.ts";
import { withOpenLead } from "../../lib/lead-panel.ts";
import { currentUserQuery, routePages } from "../../lib/query-client.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { rowCardClasses } from "../../ui/card.tsx";
import { CheckboxField } from "../../ui/checkbox.tsx";
import { openDialog } from "../../ui/dialog-outlet.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { EmptyState } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import { mergeMessages } from "../lead-merge/messages.ts";

const MergeDialog = lateComponent(() => import("../lead-merge/merge-dialog.tsx"));

const duplicatesMessages = defineMessages("duplicates", {
  title: ["Possible Duplicates", "Posibles duplicados"],
  subtitle: ["Leads that may be the same person", "Prospectos que pueden ser la misma persona"],
  by: ["Compare by", "Comparar por"],
  by_phone: ["Phone", "Teléfono"],
  by_email: ["Email", "Correo"],
  by_name: ["Name and company", "Nombre y empresa"],
  mine: ["Only with my leads", "Solo con mis prospectos"],
  list: ["Possible duplicates", "Posibles duplicados"],
  found_one: ["{n} group", "{n} grupo"],
  found_other: ["{n} groups", "{n} grupos"],
  count: ["{n} leads", "{n} prospectos"],
  more: ["and {n} more", "y {n} más"],
  loading: ["Loading duplicates…", "Cargando duplicados…"],
  failedTitle: ["Duplicates could not be loaded", "No se pudieron cargar los duplicados"],
  emptyTitle: ["No duplicates", "Sin duplicados"],
  emptyText_phone: [
    "No two leads share a phone number. Compare by email or by name too.",
    "No hay dos prospectos con el mismo teléfono. Compara también por correo o por nombre.",
  ],
  emptyText_email: [
    "No two leads share an email address. Compare by phone or by name too.",
    "No hay dos prospectos con el mismo correo. Compara también por teléfono o por nombre.",
  ],
  emptyText_name: [
    "No two leads share name and company. Compare by phone or by email too.",
    "No hay dos prospectos con el mismo nombre y empresa. Compara también por teléfono o por correo.",
  ],
  withRep: ["with {name}", "con {name}"],
  unassigned: ["Unassigned", "Sin asignar"],
});

/** The address's values; by default duplicates by phone among all leads. */
interface DuplicatesSearch {
  readonly by?: DuplicateKey | undefined;
  readonly mine?: "yes" | undefined;
}

/** Parses the address; unknown values are dropped. */
function parseDuplicatesSearch(search: Record<string, unknown>): DuplicatesSearch {
  const by = duplicateKeys.find((key) => key === search.by && key !== "phone");
  return { by, mine: search.mine === "yes" ? "yes" : undefined };
}

const estimatedRowPx = 150;
const idOf = ({ leads }: Duplicates) => leads[0]?.id ?? 0;

/** Groups of possible duplicates; each lead opens its panel beside the list for comparison. */
export function DuplicatesPage() {
  const t = useMessages(duplicatesMessages);
  const filters = parseDuplicatesSearch(useSearch({ strict: false }));
  const { by = "phone", mine } = filters;
  const navigate = useNavigate();
  const { data: viewer } = useQuery(currentUserQuery());
  const query = { by, ...(mine && { mine }) };
  const found = useInfiniteQuery({
    ...routePages(listDuplicates, { query }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const groups = found.data?.pages.flatMap(({ items }) => items);
  const total = found.data?.pages[0]?.total ?? null;
  const count = total === null ? 0 : Number.parseInt(total, 10);
  function change(next: DuplicatesSearch): void {
    void navigate({ to: ".", search: withOpenLead(next), resetScroll: false });
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title={t("title")} subtitle={t("subtitle")} />
      <Tabs value={by} onValueChange={(value) => change({ ...filters, by: value as DuplicateKey })}>
        <TabsList aria-label={t("by")}>
          {duplicateKeys.map((key) => (
            <TabsTrigger key={key} value={key}>
              {t(`by_${key}`)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={by}>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
            <p role="status" className="text-muted-foreground tabular-nums">
              {count > 0 ? t("found", { count, n: formatTotal(total ?? "0") }) : null}
            </p>
            {viewer?.role === "consultant" ? (
              <CheckboxField
                checked={mine === "yes"}
                onChange={(isMine) => change({ ...filters, mine: isMine ? "yes" : undefined })}
              >
                {t("mine")}
              </CheckboxField>
            ) : null}
          </div>
          <PagedList
            found={found}
            items={groups}
            keyOf={idOf}
            label={t("list")}
            loading={t("loading")}
            failedTitle={t("failedTitle")}
            estimatePx={estimatedRowPx}
            renderRow={(group) => <DuplicateGroup group={group} by={by} />}
            empty={<EmptyState icon={CopyCheck} title={t("emptyTitle")} description={t(`emptyText_${by}`)} />}
          />
        </TabsContent>
      </Tabs>
    </div>
  );
}

/** The value that the leads of a group share. */
function sharedValue({ leads: [first] }: Duplicates, by: DuplicateKey): string {
  if (by === "phone") return first?.phone ? formatPhone(first.phone) : "";
  return (by === "email" ? first?.email?.toLowerCase() : `${first?.name} · ${first?.company}`) ?? "";
}

interface DuplicateGroupProps {
  group: Duplicates;
  by: DuplicateKey;
}

const DuplicateGroup = memo(function DuplicateGroup({ group, by }: DuplicateGroupProps) {
  const t = useMessages(duplicatesMessages);
  const { count, leads } = group;
  const shared = sharedValue(group, by);
  const { data: viewer } = useQuery(currentUserQuery());
  const mine = leads.filter(({ assignedTo }) => viewer?.role === "admin" || assignedTo === viewer?.id);
  const [kept] = mine;
  return (
    <article aria-label={shared} className={cn(rowCardClasses, "grid grid-cols-[minmax(0,1fr)] gap-2")}>
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <h2 className="min-w-0 max-w-full truncate font-semibold text-base leading-6">{shared}</h2>
        <span className="text-muted-foreground text-sm tabular-nums">
          {t("count", { n: formatTotal(count) })}
        </span>
      </div>
      <ul className="grid grid-cols-[minmax(0,1fr)] divide-y border-t">
        {leads.map(({ id, name, company, phone, email, status, salesRepName }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2 text-sm last:pb-0">
            <LeadLink leadId={id} className="max-w-full truncate font-medium pointer-coarse:py-2.5">
              {name}
            </LeadLink>
            <StatusBadge status={status} />
            <span className="min-w-0 text-muted-foreground [overflow-wrap:anywhere]">
              {[
                company,
                phone && formatPhone(phone),
                email,
                salesRepName ? t("withRep", { name: salesRepName }) : t("unassigned"),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
            {kept && kept.id !== id && mine.some((own) => own.id === id) ? (
              <MergeButton kept={kept} other={{ id, name }} />
            ) : null}
          </li>
        ))}
      </ul>
      {count > leads.length ? (
        <p className="text-muted-foreground text-sm">{t("more", { n: formatTotal(count - leads.length) })}</p>
      ) : null}
    </article>
  );
});

/** Opens the preview of merging a lead of a group into its first one. */
function MergeButton({
  kept,
  other,
}: {
  kept: Duplicates["leads"][number];
  other: Pick<Duplicates["leads"][number], "id" | "name">;
}) {
  const t = useMessages(mergeMessages);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Button
      ref={button}
      variant="secondary"
      size="sm"
      className="ml-auto"
      aria-haspopup="dialog"
      aria-label={t("mergeInto", { other: other.name, kept: kept.name })}
      onClick={() =>
        openDialog((close) => (
          <MergeDialog lead={kept} other={other} onClose={close} returnFocusTo={button} />
        ))
      }
    >
      <Merge aria-hidden />
      {t("merge")}
    </Button>
  );
}
