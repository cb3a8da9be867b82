import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useListColumns } from "../../../lib/list-address.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { useNarrow } from "../../../lib/use-width.ts";
import { columnMessages, type LeadPage, leadColumnKeys, leadColumns } from "./lead-columns.tsx";

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
