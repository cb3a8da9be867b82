import type { TelephonyChange } from "@portal/contract/entities/diagnostics";
import { checkIntegration, fixTelephony, getTelephonyPlan } from "@portal/contract/routes/integrations";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { RefObject } from "react";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { defineMessages, useMessages } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/list-states.tsx";
import { toast } from "../../ui/toast.ts";
import { isSetting, settingMessages } from "./setting-messages.ts";

const fixMessages = defineMessages("diagnostics-fix", {
  title: ["Fix at Twilio", "Corregir en Twilio"],
  description: [
    "Only the system number and the Messaging Service of this portal are changed, as shown.",
    "Solo se cambian el número del sistema y el Messaging Service de este portal, como se muestra.",
  ],
  number: ["System number", "Número del sistema"],
  service: ["Messaging Service", "Messaging Service"],
  old: ["Now:", "Ahora:"],
  new: ["Then:", "Después:"],
  none: ["nothing", "nada"],
  nothing: ["Nothing to fix.", "No hay nada que corregir."],
  cancel: ["Cancel", "Cancelar"],
  confirm: ["Fix", "Corregir"],
  done: ["Settings fixed: {count}", "Configuraciones corregidas: {count}"],
  failed: ["Not fixed", "Sin corregir"],
  failedText: ["Look again in a moment.", "Vuelve a mirar en un momento."],
});

interface FixTwilioDialogProps {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Shows the old and new value of each setting at Twilio, and applies them. */
export function FixTwilioDialog({ onClose, returnFocusTo }: FixTwilioDialogProps) {
  const t = useMessages(fixMessages);
  const client = useQueryClient();
  const plan = useQuery({ ...routeQuery(getTelephonyPlan), staleTime: 0, gcTime: 0 });
  const fix = useMutation({
    mutationFn: (seen: string) => callRoute(fixTelephony, { body: { seen } }),
    onSuccess: ({ changed }) => {
      toast({ title: t("done", { count: changed }) });
      onClose();
    },
    onError: (error) => {
      toast({
        title: t("failed"),
        description: errorText(error, t("failedText")),
        error,
        tone: "destructive",
      });
      // Shows what would be changed now.
      void plan.refetch();
    },
    onSettled: () =>
      invalidatePaths(client, [
        checkIntegration.path.replace(":integration", "twilio"),
        getTelephonyPlan.path,
      ]),
  });
  const changes = plan.data?.changes ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("title")}
      description={t("description")}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      className="max-w-2xl"
    >
      <DialogBody className="grid content-start gap-3" aria-busy={plan.isFetching}>
        {plan.isPending ? <Skeleton className="h-24" /> : null}
        {plan.error ? (
          <p role="alert" className="text-danger-text text-sm">
            {errorText(plan.error, t("failedText"))}
          </p>
        ) : null}
        {plan.data && changes.length === 0 ? <p className="text-sm">{t("nothing")}</p> : null}
        {changes.length > 0 ? (
          <ul className="grid divide-y">
            {changes.map((change) => (
              <ChangeEntry key={`${change.target}.${change.field}`} change={change} />
            ))}
          </ul>
        ) : null}
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button
          pending={fix.isPending}
          disabled={!plan.data || changes.length === 0 || plan.isFetching}
          onClick={() => plan.data && fix.mutate(plan.data.seen)}
        >
          {t("confirm")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function ChangeEntry({ change: { target, field, before, after } }: { change: TelephonyChange }) {
  const t = useMessages(fixMessages);
  const named = useMessages(settingMessages);
  return (
    <li className="grid min-w-0 gap-1 py-3 text-sm first:pt-0 last:pb-0">
      <p>
        <span className="font-medium">{t(target)}</span>
        {" · "}
        {isSetting(field) ? named(field) : null}{" "}
        <code lang="en" className="text-muted-foreground text-xs">
          {field}
        </code>
      </p>
      <p className="grid min-w-0 grid-cols-[auto_1fr] gap-x-2 gap-y-0.5 font-mono text-xs">
        <span className="sr-only">{t("old")}</span>
        <span className="col-start-2 break-all text-muted-foreground">{before || t("none")}</span>
        <ArrowRight aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        <span className="sr-only">{t("new")}</span>
        <span className="col-start-2 break-all">{after || t("none")}</span>
      </p>
    </li>
  );
}
