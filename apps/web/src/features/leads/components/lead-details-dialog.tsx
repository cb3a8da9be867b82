import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { UserRoundCheck } from "lucide-react";
import { lazy, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { SmsDesk } from "../../sms/sms-desk.tsx";
import { leadDetailsTexts } from "../details-texts.ts";
import { leadQuery } from "../queries.ts";
import { drawerClasses } from "./drawer.ts";
import { LeadCard } from "./lead-card.tsx";
import { LeadFacts } from "./lead-facts.tsx";
import { Timeline } from "./timeline.tsx";

const AssignDialog = lazy(() => import("./assign-dialog.tsx"));

interface LeadDetailsDialogProps {
  lead: Pick<Lead, "id" | "name">;
  /** Gets the lead as it is now, whenever it has changed. */
  onLoaded?: (lead: Lead) => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** A lead of the list: its card with all that can be done, and its history; of a colleague's lead what everybody may see. */
export default function LeadDetailsDialog({
  lead,
  onLoaded,
  onClose,
  returnFocusTo,
}: LeadDetailsDialogProps) {
  const t = useTexts(leadDetailsTexts);
  const { data: user } = useQuery(currentUserQuery());
  const { data = null, error } = useQuery(leadQuery(lead.id));
  const onData = useEffectEvent((now: Lead) => onLoaded?.(now));
  useEffect(() => {
    if (data) onData(data);
  }, [data]);
  const mayAct = user?.role === "admin" || (data !== null && data.assignedTo === user?.id);
  return (
    <>
      <Dialog
        open
        onOpenChange={onClose}
        title={(data ?? lead).name}
        description={t("detailsHint")}
        className={drawerClasses}
        returnFocusTo={returnFocusTo}
      >
        {/* Reached by keys, so that they can scroll it. */}
        <DialogBody role="region" aria-label={t("details")} tabIndex={0} className="grid content-start gap-6">
          {error && !data ? (
            <p role="alert" className="text-danger-text">
              {errorText(error, t("loadFailed"))}
            </p>
          ) : null}
          {!data && !error ? <Skeleton className="h-56 w-full rounded-xl" /> : null}
          {data && mayAct ? <OwnLead lead={data} /> : null}
          {data && !mayAct ? <OthersLead lead={data} /> : null}
        </DialogBody>
      </Dialog>
      <SmsDesk />
    </>
  );
}

/** A lead that one may act on. */
function OwnLead({ lead }: { lead: Lead }) {
  const t = useTexts(leadDetailsTexts);
  return (
    <>
      <LeadCard lead={lead} selected={undefined} onSelect={() => undefined} />
      <section aria-labelledby="lead-history" className="grid gap-4">
        <h2 id="lead-history" className="font-semibold">
          {t("history")}
        </h2>
        <Timeline lead={lead} />
      </section>
    </>
  );
}

/** A lead of a colleague, or of nobody, who can be given a consultant. */
function OthersLead({ lead }: { lead: Lead }) {
  const t = useTexts(leadDetailsTexts);
  const assign = useRef<HTMLButtonElement>(null);
  const isFree = lead.assignedTo === null;
  const onAssign = () =>
    openDialog((close) => <AssignDialog lead={lead} onClose={close} returnFocusTo={assign} />);
  return (
    <>
      <LeadFacts lead={lead} />
      <p className="rounded-lg bg-muted/70 px-4 py-3 text-muted-foreground text-sm">
        {isFree ? t("nobodys") : t("theirs", { name: lead.salesRepName ?? t("notAvailable") })}
      </p>
      {isFree ? (
        <Button ref={assign} className="justify-self-start" onClick={onAssign}>
          <UserRoundCheck aria-hidden />
          {t("assign")}
        </Button>
      ) : null}
    </>
  );
}
