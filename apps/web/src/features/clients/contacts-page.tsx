import { anyRep } from "@portal/contract/entities/fields";
import { limits } from "@portal/contract/limits";
import { clientFilters, clientSorts, listClients } from "@portal/contract/routes/clients";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Braces, Sheet } from "lucide-react";
import { RelativeTime } from "../../lib/clock.tsx";
import { cn } from "../../lib/cn.ts";
import { formatDay, formatMoney } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { withOpenLead } from "../../lib/lead-panel.ts";
import { useListSetting, withoutFilters } from "../../lib/list-address.ts";
import { salesRepsQuery } from "../../lib/shared-queries.ts";
import { Button } from "../../ui/button.tsx";
import { type FilterChip, FilterChips } from "../../ui/chip.tsx";
import { ColumnsMenu } from "../../ui/columns-menu.tsx";
import { FilterSelect, ListFilterBar } from "../../ui/filter-bar.tsx";
import { listPageClasses, PageHeader } from "../../ui/page-header.tsx";
import { RecentList } from "../../ui/recent-list.tsx";
import { ListTools } from "../saved-views/list-tools.tsx";
import { ValueBadge } from "./components/client-columns.tsx";
import { ClientResults } from "./components/client-results.tsx";
import { clientColumnKeys, clientColumnLabels, firstClientColumns } from "./components/client-rows.tsx";
import { ClientStats, ClientStrip } from "./components/client-stats.tsx";
import {
  type ClientFilter,
  type ClientSort,
  type ContactsSearch,
  contactsQuery,
  hasActiveFilter,
  parseContactsSearch,
} from "./contacts-search.ts";
import { contactsMessages } from "./messages.ts";
import { recentClientsQuery, useExportClients } from "./queries.ts";

/** Contact Lists: the leads that became clients, to be found, called and exported. */
export function ContactsPage() {
  const t = useMessages(contactsMessages);
  const filters: ContactsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const isList = useListSetting("contacts").layout === "rows";
  // Typing replaces the history entry, choosing a filter adds one.
  function change(next: ContactsSearch, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: withOpenLead(next), replace, resetScroll: false });
  }
  return (
    <div className={isList ? listPageClasses : "grid grid-cols-[minmax(0,1fr)] gap-5"}>
      <PageHeader
        isSlim={isList}
        title={t("title")}
        subtitle={t("subtitle")}
        actions={<ExportButtons filters={filters} isShort={isList} />}
      >
        {isList ? <ClientStrip filters={filters} onChange={change} /> : null}
      </PageHeader>
      {isList ? null : <ClientStats />}
      {isList ? null : <RecentConversions />}
      <div className={cn("grid grid-cols-[minmax(0,1fr)] gap-3", isList && "gap-1.5")}>
        <ContactsToolbar filters={filters} onChange={change} />
        <ContactsChips filters={filters} onChange={change} />
      </div>
      <ClientResults
        filters={filters}
        isList={isList}
        onSort={(sort) => change({ ...filters, sort: sort === "recent" ? undefined : sort })}
      />
    </div>
  );
}

interface ContactsChipsProps {
  filters: ContactsSearch;
  onChange: (filters: ContactsSearch) => void;
}

/** Removable chips for the filters that reports and figures set. */
function ContactsChips({ filters, onChange }: ContactsChipsProps) {
  const t = useMessages(contactsMessages);
  const { range, day, until, rep } = filters;
  const { data: reps } = useQuery({ ...salesRepsQuery(), enabled: rep !== undefined });
  const chips: FilterChip[] = [];
  const add = (key: string, label: string, without: ContactsSearch) =>
    chips.push({ key, label, onRemove: () => onChange({ ...filters, ...without }) });

  if (range) add("range", t(`chipRange_${range}`), { range: undefined });
  if (day) {
    const label = until
      ? t("chipDays", { day: formatDay(day), until: formatDay(until) })
      : t("chipDay", { day: formatDay(day) });
    add("day", label, { day: undefined, until: undefined });
  }
  if (rep) {
    const name = rep === anyRep ? t("anybody") : reps?.find(({ id }) => id === rep)?.name;
    add("rep", name ? t("chipRep", { name }) : t("chipRepNumber", { id: String(rep) }), { rep: undefined });
  }
  return <FilterChips label={t("chips")} chips={chips} />;
}

/** Exports the filtered clients as CSV or JSON; `isShort` leaves room for the figures in the same line. */
function ExportButtons({ filters, isShort }: { filters: ContactsSearch; isShort: boolean }) {
  const t = useMessages(contactsMessages);
  const csv = useExportClients();
  const json = useExportClients();
  return (
    <>
      <Button
        variant="secondary"
        aria-label={t("exportCsv")}
        title={isShort ? t("exportCsv") : undefined}
        pending={csv.isPending}
        onClick={() => csv.mutate({ filters, format: "csv" })}
      >
        <Sheet aria-hidden />
        {t(isShort ? "csv" : "exportCsv")}
      </Button>
      <Button
        variant="secondary"
        aria-label={t("exportJson")}
        title={isShort ? t("exportJson") : undefined}
        pending={json.isPending}
        onClick={() => json.mutate({ filters, format: "json" })}
      >
        <Braces aria-hidden />
        {t(isShort ? "json" : "exportJson")}
      </Button>
    </>
  );
}

/** The five latest clients. */
function RecentConversions() {
  const t = useMessages(contactsMessages);
  const { data, isError } = useQuery(recentClientsQuery());
  return (
    <RecentList
      title={t("recentConversions")}
      failure={isError ? t("recentFailed") : null}
      empty={t("recentEmpty")}
      items={data?.map((client) => ({
        key: client.id,
        name: client.name,
        note: (
          <>
            <RelativeTime at={client.convertedDate} /> · {client.salesRepName ?? t("unassigned")}
          </>
        ),
        badge: <ValueBadge value={client.conversionValue} />,
        leadId: client.leadId,
      }))}
    />
  );
}

interface ContactsToolbarProps {
  filters: ContactsSearch;
  onChange: (filters: ContactsSearch, options?: { replace?: boolean }) => void;
}

/** Search, order, filter, views, layout and Clear Filters, which keeps the order. */
function ContactsToolbar({ filters, onChange }: ContactsToolbarProps) {
  const t = useMessages(contactsMessages);
  const labels = clientColumnLabels(t);
  const limitsOf = { amount: formatMoney(limits.highValue), days: limits.recentClientDays };
  return (
    <ListFilterBar
      filters={filters}
      onChange={onChange}
      cleared={hasActiveFilter(filters) ? withoutFilters(filters) : null}
      words={{
        searchLabel: t("searchLabel"),
        searchPlaceholder: t("searchPlaceholder"),
        clearLabel: t("clearFilters"),
      }}
    >
      <FilterSelect<ClientSort>
        label={t("sort")}
        value={filters.sort}
        none="recent"
        onChange={(sort) => onChange({ ...filters, sort })}
        options={clientSorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
      />
      <FilterSelect<ClientFilter>
        label={t("filter")}
        className="sm:max-w-60"
        value={filters.filter}
        none="all"
        onChange={(filter) => onChange({ ...filters, filter })}
        options={clientFilters.map((value) => ({ value, label: t(`filter_${value}`, limitsOf) }))}
      />
      <ListTools
        page="contacts"
        listPath={listClients.path}
        recorded="table"
        query={contactsQuery(filters)}
        inAddress={filters.columns}
        onOpen={(search) => onChange(parseContactsSearch(search))}
        columnsMenu={
          <ColumnsMenu
            page="contacts"
            all={clientColumnKeys.map((key) => ({ key, label: labels[key] }))}
            first={firstClientColumns}
            inAddress={filters.columns}
            onForget={() => onChange({ ...filters, columns: undefined })}
          />
        }
      />
    </ListFilterBar>
  );
}
