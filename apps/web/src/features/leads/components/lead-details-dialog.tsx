import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { UserRoundCheck } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { errorText } from "../../../lib/errors.ts";
import { formatDate, formatPhone } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, drawerClasses } from "../../../ui/dialog.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { PriorityBadge, StatusBadge } from "../../../ui/lead-badges.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ExtraFields, Timeline } from "../../activity/timeline.tsx";
import { SmsDock } from "../../sms/sms-dock.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { leadQuery } from "../queries.ts";
import { LeadCard } from "./lead-card.tsx";

/** Messages of a lead that is looked at from a list of everybody's. */
const leadDetailsMessages = defineMessages("lead-details", {
  details: ["Lead details", "Detalles del prospecto"],
  detailsHint: ["What is known, and what happened.", "Lo que se sabe y lo que ha pasado."],
  history: ["History", "Historial"],
  theirs: [
    "{name} has this lead: calls, texts and history are theirs and the administrators'.",
    "{name} tiene este prospecto: solo esa persona y los administradores ven sus llamadas, mensajes e historial.",
  ],
  nobodys: [
    "Nobody has this lead yet. Assign it to call and text.",
    "Nadie tiene este prospecto todavía. Asígnalo para llamar y enviar mensajes.",
  ],
  notes: ["Notes", "Notas"],
  source: ["Source", "Origen"],
  industry: ["Industry", "Sector"],
  phone: ["Phone", "Teléfono"],
  email: ["Email", "Correo"],
  assign: ["Assign", "Asignar"],
  company: ["Company", "Empresa"],
  assignedTo: ["Assigned To", "Asignado a"],
  created: ["Created", "Creado"],
  assignmentDate: ["Assignment Date", "Fecha de asignación"],
  notAvailable: ["N/A", "N/D"],
  unassigned: ["Unassigned", "Sin asignar"],
  notAssigned: ["Not assigned", "No asignado"],
  noEmail: ["No email", "Sin correo"],
  noPhone: ["No phone", "Sin teléfono"],
  loadFailed: ["The lead could not be loaded.", "No se pudo cargar el prospecto."],
});

const AssignDialog = lateComponent(() => import("./assign-dialog.tsx"));

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
  const t = useMessages(leadDetailsMessages);
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
      <SmsDock />
    </>
  );
}

/** A lead that one may act on. */
function OwnLead({ lead }: { lead: Lead }) {
  const t = useMessages(leadDetailsMessages);
  return (
    <>
      <LeadCard lead={lead} selected={undefined} onSelect={() => undefined} />
      <ExtraFields leadId={lead.id} />
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
  const t = useMessages(leadDetailsMessages);
  const assign = useRef<HTMLButtonElement>(null);
  const isFree = lead.assignedTo === null;
  const onAssign = () =>
    openDialog((close) => <AssignDialog lead={lead} onClose={close} returnFocusTo={assign} />);
  return (
    <>
      <LeadFacts lead={lead} />
      <ExtraFields leadId={lead.id} />
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

/** What everybody may see of a lead. */
function LeadFacts({ lead }: { lead: Lead }) {
  const t = useMessages(leadDetailsMessages);
  const facts = [
    [t("phone"), lead.phone ? formatPhone(lead.phone) : t("noPhone")],
    [t("email"), lead.email ?? t("noEmail")],
    [t("company"), lead.company ?? t("notAvailable")],
    [t("industry"), lead.industry ?? t("notAvailable")],
    [t("source"), lead.leadSource ?? t("notAvailable")],
    [t("assignedTo"), lead.salesRepName ?? t("unassigned")],
    [t("created"), formatDate(lead.createdAt)],
    [t("assignmentDate"), lead.assignedAt ? formatDate(lead.assignedAt) : t("notAssigned")],
  ] as const;
  return (
    <div className="grid gap-4 rounded-xl border p-4">
      <p className="flex flex-wrap gap-2">
        <StatusBadge status={lead.status} />
        <PriorityBadge priority={lead.priority} />
      </p>
      <LastAttempt lead={lead} className="text-sm" />
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-muted-foreground text-xs">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {lead.notes ? (
        <div className="text-sm">
          <p className="text-muted-foreground text-xs">{t("notes")}</p>
          <p className="whitespace-pre-line break-words">{lead.notes}</p>
        </div>
      ) : null}
    </div>
  );
}
