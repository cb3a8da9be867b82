import { limits } from "@portal/contract/limits";
import { clientFilters, clientSorts, listClients } from "@portal/contract/routes/clients";
import { formatMoney } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { withoutFilters } from "../../../lib/list-address.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import { FilterSelect, ListFilterBar } from "../../../ui/filter-bar.tsx";
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

/** Search, order, filter, views, layout and Clear Filters, which keeps the order. */
export function ContactsToolbar({ filters, onChange }: ContactsToolbarProps) {
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
