import type { RefObject } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { HandOverDialog } from "../leads/components/hand-over-dialog.tsx";
import { allLeadsMessages } from "./messages.ts";
import { useAssignLeads } from "./queries.ts";

interface AssignManyDialogProps {
  ids: readonly number[];
  /** Gets the leads that were refused. */
  onDone: (refused: readonly number[]) => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Gives the selected leads to a consultant. */
export default function AssignManyDialog({ ids, onDone, onClose, returnFocusTo }: AssignManyDialogProps) {
  const t = useMessages(allLeadsMessages);
  const save = useAssignLeads(ids, onDone);
  return (
    <HandOverDialog
      title={t("assignTitle")}
      description={t("assignCount", { count: ids.length })}
      action={t("assign")}
      acting={t("assigning")}
      exceptRep={null}
      asksTakeAlong
      save={save}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    />
  );
}
