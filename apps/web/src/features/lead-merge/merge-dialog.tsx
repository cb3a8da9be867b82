import type { Lead } from "@portal/contract/entities/lead";
import type { MergeChoices, MergePreview, MergeSide } from "@portal/contract/entities/lead-merge";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { formatNumber, formatPhone } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { isWriter } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogBody, FormDialog } from "../../ui/dialog.tsx";
import { PickRow } from "../../ui/pick-row.tsx";
import { FailureText } from "../../ui/request-id.tsx";
import { LeadPicker } from "../sms/components/lead-picker.tsx";
import { MergeFields } from "./merge-fields.tsx";
import { mergeMessages } from "./messages.ts";
import { likelyQuery, mergePreviewQuery, refusalText, useMergeLeads } from "./queries.ts";

type Named = Pick<Lead, "id" | "name">;

interface MergeDialogProps {
  lead: Named & Pick<Lead, "phone" | "email">;
  /** The lead to merge into it; the user picks one if omitted. */
  other?: Named;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Merges two leads: pick the duplicate, then compare both and see the consequences. */
export default function MergeDialog({ lead, other, onClose, returnFocusTo }: MergeDialogProps) {
  const [picked, setPicked] = useState(other ?? null);
  const common = { onClose, returnFocusTo };
  if (!picked) return <PickLead lead={lead} onPick={setPicked} {...common} />;
  return <Compare lead={lead} other={picked} {...common} />;
}

type PickLeadProps = Pick<MergeDialogProps, "lead" | "onClose" | "returnFocusTo"> & {
  onPick: (lead: Named) => void;
};

function PickLead({ lead, onPick, onClose, returnFocusTo }: PickLeadProps) {
  const t = useMessages(mergeMessages);
  const { data: user } = useQuery(currentUserQuery());
  const { data: known } = useQuery({ ...likelyQuery(lead), enabled: Boolean(lead.phone || lead.email) });
  const likely = known?.filter((one) => one.id !== lead.id && isWriter(user, one));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("title")}
      description={t("pickText", { name: lead.name })}
      returnFocusTo={returnFocusTo}
      className="max-w-md"
    >
      <DialogBody className="grid content-start gap-4">
        {likely && likely.length > 0 ? (
          <section aria-label={t("likely")} className="grid gap-1.5">
            <h3 className="font-medium text-sm">{t("likely")}</h3>
            <ul className="grid gap-0.5">
              {likely.map((each) => (
                <li key={each.id}>
                  <PickRow
                    note={each.phone ? formatPhone(each.phone) : each.email}
                    onClick={() => onPick(each)}
                  >
                    {each.name}
                  </PickRow>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <LeadPicker isPending={false} onPick={(found) => found.id !== lead.id && onPick(found)} />
      </DialogBody>
    </Dialog>
  );
}

type CompareProps = Pick<MergeDialogProps, "onClose" | "returnFocusTo"> & { lead: Named; other: Named };

function Compare({ lead, other, onClose, returnFocusTo }: CompareProps) {
  const t = useMessages(mergeMessages);
  const [choices, setChoices] = useState<MergeChoices>({});
  const { data, error, isFetching, refetch } = useQuery({
    ...mergePreviewQuery(lead.id, other.id, choices),
    placeholderData: keepPreviousData,
  });
  const save = useMergeLeads(lead.id, other.id);
  // A choice shows at once, before the server has returned the new preview.
  const preview = data && {
    ...data,
    fields: data.fields.map((line) => ({
      ...line,
      side: line.fixed ? line.side : (choices[line.field] ?? line.side),
    })),
  };
  const failure = save.error && refusalText(save.error, t("failedText"));
  const refusal = failure ?? (data?.refusal ? t(`refusal_${data.refusal}`) : null);
  function submit(): void {
    if (save.isPending || save.isSuccess || !data || data.refusal) return;
    save.mutate(choices, { onSuccess: onClose, onError: () => void refetch() });
  }
  return (
    <FormDialog
      title={t("title")}
      description={t("text", { other: other.name, kept: lead.name })}
      cancel={t("cancel")}
      action={t("merge")}
      acting={t("merging")}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
      className="max-w-xl"
    >
      {error && !data ? (
        <div className="grid justify-items-start gap-2 text-sm">
          <FailureText error={error} fallback={t("loadFailed")} />
          <Button variant="secondary" size="sm" pending={isFetching} onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        </div>
      ) : null}
      {!data && !error ? (
        <p role="status" className="text-muted-foreground text-sm">
          {t("loading")}
        </p>
      ) : null}
      {preview ? (
        <>
          <MergeFields
            preview={preview}
            onChoose={(field, side) => setChoices((now) => ({ ...now, [field]: side }))}
          />
          <Consequences preview={preview} />
        </>
      ) : null}
      {refusal ? (
        <p role="alert" className="text-danger-text text-sm">
          {refusal}
        </p>
      ) : null}
    </FormDialog>
  );
}

/** Other consequences of the merge, a sentence each. */
function Consequences({ preview }: { preview: MergePreview }) {
  const t = useMessages(mergeMessages);
  const { kept, other } = preview;
  const counted = (kind: "calls" | "texts" | "meetings") => {
    const count = other.counts[kind];
    return t(kind, { count, n: formatNumber(count) });
  };
  const sideOf = (wanted: string): MergeSide | undefined =>
    preview.fields.find(({ field }) => field === wanted)?.side;
  const contact = preview[sideOf("contact") ?? "kept"];
  const blocked = (by: "callOptOut" | "textOptOut") => [kept, other].find((lead) => lead[by] !== null);
  const [noCalls, noTexts] = [blocked("callOptOut"), blocked("textOptOut")];
  const lines = [
    t("moves", {
      name: other.name,
      calls: counted("calls"),
      texts: counted("texts"),
      meetings: counted("meetings"),
    }),
    contact.ghlContactId && t("pushes", { name: contact.name }),
    t("further"),
    noCalls && t("callsBlocked", { name: noCalls.name }),
    noTexts && t("textsBlocked", { name: noTexts.name }),
    t("undoText"),
  ].filter(Boolean);
  return (
    <section
      aria-label={t("what")}
      className="grid gap-1.5 rounded-lg border bg-muted/50 px-3.5 py-3 text-sm"
    >
      <h3 className="font-medium">{t("what")}</h3>
      <ul className="grid list-disc gap-1 pl-4 [overflow-wrap:anywhere]">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
