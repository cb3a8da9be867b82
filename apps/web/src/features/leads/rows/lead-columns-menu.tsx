import { useMessages } from "../../../lib/i18n.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import { columnMessages, firstColumns, leadColumnKeys } from "./lead-columns.tsx";

interface LeadColumnsMenuProps {
  page: keyof typeof firstColumns;
  inAddress: string | undefined;
  onForget: () => void;
}

/** Chooses the columns of rows of leads. */
export default function LeadColumnsMenu({ page, ...address }: LeadColumnsMenuProps) {
  const t = useMessages(columnMessages);
  return (
    <ColumnsMenu
      page={page}
      all={leadColumnKeys[page].map((key) => ({ key, label: t(key) }))}
      first={firstColumns[page]}
      {...address}
    />
  );
}
