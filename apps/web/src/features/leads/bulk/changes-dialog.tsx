import type { BulkChange } from "@portal/contract/entities/bulk-change";
import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { formatSoon } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { RecentMerges } from "../../lead-merge/merge-rows.tsx";
import { LeftOut } from "./bulk-preview.tsx";
import { bulkMessages } from "./messages.ts";
import { bulkChangesQuery, useChangeText, useUndo } from "./queries.ts";

/** 'Changes made together': the bulk changes of the last day, the leads they left out or spared, and Undo. */
export default function ChangesDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(bulkMessages);
  const { data, isError, refetch } = useQuery({ ...bulkChangesQuery(), staleTime: 0 });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("history")}
      description={t("historyText")}
      className="max-w-xl"
    >
      <DialogBody className="grid content-start gap-4">
        {isError ? (
          <div role="alert" className="grid justify-items-start gap-2 text-danger-text text-sm">
            {t("loadFailed")}
            <Button variant="secondary" size="sm" onClick={() => void refetch()}>
              {t("retry")}
            </Button>
          </div>
        ) : null}
        {!data && !isError ? <p className="text-muted-foreground text-sm">{t("loading")}</p> : null}
        {data?.length === 0 ? <p className="text-muted-foreground text-sm">{t("none")}</p> : null}
        {data && data.length > 0 ? (
          <ul className="grid divide-y">
            {data.map((change) => (
              <Entry key={change.id} change={change} />
            ))}
          </ul>
        ) : null}
        <RecentMerges />
      </DialogBody>
    </Dialog>
  );
}

function Entry({ change }: { change: BulkChange }) {
  const t = useMessages(bulkMessages);
  const { title, facts } = useChangeText(change);
  const undo = useUndo(change.id);
  const named = change.groups.filter(
    ({ state, reason }) => reason && (state === "left_out" || state === "spared"),
  );
  const hasSent = change.groups.some(({ state }) => state === "sent" || state === "sending");
  return (
    <li className="grid gap-2 py-3.5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
          <p className="font-medium text-sm">{title}</p>
          {change.kind === "text" ? (
            <p className="line-clamp-2 text-sm">{t("words", { value: change.value })}</p>
          ) : null}
          <p className="text-[0.8125rem] text-muted-foreground">
            {t("byWhom", { name: change.userName, at: formatSoon(change.at) })}
          </p>
          {facts.length > 0 ? <p className="text-sm tabular-nums">{facts.join(" ")}</p> : null}
        </div>
        {change.mayUndo ? (
          <Button variant="secondary" size="sm" pending={undo.isPending} onClick={() => undo.mutate()}>
            <Undo2 aria-hidden />
            {t(hasSent ? "stop" : "undo")}
          </Button>
        ) : null}
      </div>
      {named.length > 0 ? <LeftOut groups={named} /> : null}
    </li>
  );
}
