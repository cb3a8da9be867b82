import { useMemo } from "react";
import { formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useListColumns } from "../../../lib/list-settings.ts";
import { useNarrow } from "../../../lib/use-narrow.ts";
import { columnMessages, firstColumns, leadColumns } from "./lead-columns.tsx";

interface LeadColumnsInput {
  page: keyof typeof firstColumns;
  /** As the server counts the list: it may end in '+'. */
  total: string | null;
  /** The columns that the address names. */
  inAddress: string | undefined;
}

/** The columns of rows of leads as this person wants them, by the width of the element they stand in. */
export function useLeadColumns({ page, total, inAddress }: LeadColumnsInput) {
  const t = useMessages(columnMessages);
  const { box, isNarrow } = useNarrow();
  const shown = useListColumns(page, { inAddress, first: firstColumns[page] });
  const counted = total === null ? null : formatTotal(total);
  const columns = useMemo(
    () => leadColumns({ t, total: counted, shown, isNarrow }),
    [t, counted, shown, isNarrow],
  );
  return { box, columns };
}
