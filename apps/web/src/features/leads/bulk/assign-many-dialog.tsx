import type { RefObject } from "react";
import { recordedWithReason } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { assignmentMessages } from "../assignment-messages.ts";
import { type HandOver, HandOverDialog } from "../components/hand-over-dialog.tsx";
import { BulkPreview } from "./bulk-preview.tsx";
import { focusAfterDialog } from "./bulk-store.ts";
import { bulkMessages } from "./messages.ts";
import { useBulkEdit } from "./queries.ts";

interface AssignManyDialogProps {
  ids: readonly number[];
  onDone: () => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Assigns the selected leads to a consultant, with a preview. */
export default function AssignManyDialog({ ids, onDone, onClose, returnFocusTo }: AssignManyDialogProps) {
  const t = useMessages(bulkMessages);
  const recorded = useMessages(assignmentMessages);
  const save = useBulkEdit(ids);
  return (
    <HandOverDialog
      title={t("assignTitle")}
      description={t("chosen", { count: ids.length })}
      action={t("give")}
      acting={t("giving")}
      exceptRep={null}
      asksTakeAlong
      save={{
        isPending: save.isPending,
        mutate: (handOver: HandOver, then) =>
          save.mutate(
            { kind: "assign", ...handOver },
            {
              onSuccess: () => {
                onDone();
                then.onSuccess();
              },
              onError: then.onError,
            },
          ),
      }}
      onClose={onClose}
      returnFocusTo={focusAfterDialog(returnFocusTo)}
      below={(salesRepId) => (
        <>
          {salesRepId === null ? null : <BulkPreview edit={{ kind: "assign", salesRepId }} ids={ids} />}
          {save.error ? (
            <p role="alert" className="text-danger-text text-sm">
              {recordedWithReason(save.error, recorded("failedText"))}
            </p>
          ) : null}
        </>
      )}
    />
  );
}
