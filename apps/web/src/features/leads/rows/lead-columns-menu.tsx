import { useChangeListSetting } from "../../../lib/change-list-setting.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useListSetting } from "../../../lib/list-settings.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import type { LeadFilters } from "../lead-filters.ts";
import { columnMessages, firstColumns, leadColumnKeys } from "./lead-columns.tsx";

interface LeadColumnsMenuProps {
  filters: LeadFilters;
  onChange: (filters: LeadFilters) => void;
}

/** Chooses the columns of the leads' rows, kept with the account; those of a view that is open give way to them. */
export default function LeadColumnsMenu({ filters, onChange }: LeadColumnsMenuProps) {
  const t = useMessages(columnMessages);
  const setting = useListSetting("leads");
  const change = useChangeListSetting("leads");
  const shown = filters.columns?.split(",") ?? setting.columns ?? firstColumns;
  return (
    <ColumnsMenu
      all={leadColumnKeys.map((key) => ({ key, label: t(key) }))}
      shown={shown}
      onChange={(columns) => {
        change({ columns: columns ?? [...firstColumns] });
        if (filters.columns) onChange({ ...filters, columns: undefined });
      }}
    />
  );
}
