import type { ConvertedClient } from "@portal/contract/routes/clients";
import { memo } from "react";
import type { RowPlace } from "../../../ui/long-table.tsx";
import type { ContactsTranslate } from "../texts.ts";
import { ClientCells } from "./client-cells.tsx";
import { rowClasses } from "./row-classes.ts";

interface ClientRowProps extends RowPlace {
  /** Null while it is being read, or flies past. */
  client: ConvertedClient | null;
  /** Its lead is being read to be called. */
  isCalling: boolean;
  onCall: (client: ConvertedClient) => void;
  onOpen: (client: ConvertedClient) => void;
  /** Handed in: a hook for each of the rows that come into sight at once would cost as much as the rows. */
  t: ContactsTranslate;
}

/** One client with everything that is recorded of a row (specification §2, Contact Lists). A press anywhere opens the lead. */
export const ClientRow = memo(function ClientRow(props: ClientRowProps) {
  const { index, layout, top, height, client, ...rest } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows are placed by hand; the focus is on what stands in them.
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      style={{ transform: `translateY(${top}px)`, height }}
      className={`absolute inset-x-0 top-0 scroll-mt-40 border-b contain-strict ${rowClasses[layout]} ${client ? "hover:bg-muted/60" : ""}`}
    >
      {client ? (
        <ClientCells client={client} layout={layout} {...rest} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: as the row.
        <div role="cell" className="col-span-2">
          <div aria-hidden className="h-4 w-2/3 rounded-md bg-muted" />
        </div>
      )}
    </div>
  );
});
