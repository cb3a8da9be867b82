import { limits } from "@portal/contract/limits";
import { clientFilters, clientSorts, listClients } from "@portal/contract/routes/clients";
import { formatMoney } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useSearchText } from "../../../lib/use-search-text.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import { FilterBar, filterSelectClasses } from "../../../ui/filter-bar.tsx";
import { Select } from "../../../ui/select.tsx";
import { ListTools } from "../../saved-views/list-tools.tsx";
import {
  type ClientFilter,
  type ClientSort,
  type ContactsSearch,
  contactsQuery,
  hasActiveFilter,
  parseContactsSearch,
} from "../contacts-search.ts";
import { contactsMessages } from "../messages.ts";
import { clientColumnKeys, clientColumnLabels, firstClientColumns } from "./client-rows.tsx";

interface ContactsToolbarProps {
  filters: ContactsSearch;
  onChange: (filters: ContactsSearch, options?: { replace?: boolean }) => void;
}

/** Search, order, filter, views and layout, and the way out, which leaves the order. */
export function ContactsToolbar({ filters, onChange }: ContactsToolbarProps) {
  const t = useMessages(contactsMessages);
  const [typed, setTyped] = useSearchText(filters.search ?? "", (search) =>
    onChange({ ...filters, search: search || undefined }, { replace: true }),
  );
  const labels = clientColumnLabels(t);
  const clear = () => {
    setTyped("");
    onChange({ sort: filters.sort, columns: filters.columns });
  };
  const limitsOf = { amount: formatMoney(limits.highValue), days: limits.recentClientDays };
  return (
    <FilterBar
      search={typed}
      onSearch={setTyped}
      searchLabel={t("searchLabel")}
      searchPlaceholder={t("searchPlaceholder")}
      maxLength={limits.searchMaxLength}
      clearLabel={t("clearFilters")}
      onClear={hasActiveFilter(filters) || typed.trim() ? clear : null}
    >
      <Select<ClientSort>
        aria-label={t("sort")}
        className={filterSelectClasses}
        value={filters.sort ?? "recent"}
        onValueChange={(sort) => onChange({ ...filters, sort: sort === "recent" ? undefined : sort })}
        options={clientSorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
      />
      <Select<ClientFilter | "all">
        aria-label={t("filter")}
        className={`${filterSelectClasses} sm:max-w-60`}
        value={filters.filter ?? "all"}
        onValueChange={(filter) => onChange({ ...filters, filter: filter === "all" ? undefined : filter })}
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
    </FilterBar>
  );
}
