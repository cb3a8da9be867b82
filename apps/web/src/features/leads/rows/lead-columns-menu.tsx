import { useMessages } from "../../../lib/i18n.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import { columnMessages, type LeadPage, useLeadColumnKeys } from "./lead-columns.tsx";

interface LeadColumnsMenuProps {
  page: LeadPage;
  inAddress: string | undefined;
  onForget: () => void;
}

/** Selects the columns of rows of leads. */
export default function LeadColumnsMenu({ page, ...address }: LeadColumnsMenuProps) {
  const t = useMessages(columnMessages);
  const { all, first } = useLeadColumnKeys(page);
  return (
    <ColumnsMenu page={page} all={all.map((key) => ({ key, label: t(key) }))} first={first} {...address} />
  );
}
