import { createSampleData } from "@portal/contract/routes/leads";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Users } from "lucide-react";
import type { ComponentProps } from "react";
import { callRoute } from "../../../lib/api.ts";
import { isDemoMode } from "../../../lib/document.ts";
import { defineMessages, messagesOf, useMessages } from "../../../lib/i18n.ts";
import { refreshLeads } from "../../../lib/lead-updates.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, ListFailed } from "../../../ui/list-states.tsx";
import { toast } from "../../../ui/toast.ts";
import { SyncButton } from "../../crm/components/sync-button.tsx";
import type { SyncPhase } from "../../crm/queries.ts";

export const noLeadsMessages = defineMessages("no-leads", {
  syncLeadsFromGhl: ["Sync Leads from GHL", "Sincronizar prospectos de GHL"],
  emptyTitle: ["No leads found", "No se encontraron prospectos"],
  emptyFiltered: [
    "No lead matches these filters. Clear them to see all of yours.",
    "Ningún prospecto coincide con estos filtros. Quítalos para ver todos los tuyos.",
  ],
  emptyUnfiltered: [
    "Sync your contacts from GHL and they appear here.",
    "Sincroniza tus contactos de GHL y aparecerán aquí.",
  ],
  addTestLeads: ["Add Test Leads", "Agregar prospectos de prueba"],
  addingTestLeads: ["Adding...", "Agregando..."],
  sampleCreatedTitle: ["Test Leads Added", "Prospectos de prueba agregados"],
  sampleCreated_one: ["{count} test lead created.", "{count} prospecto de prueba creado."],
  sampleCreated_other: ["{count} test leads created.", "{count} prospectos de prueba creados."],
  errorTitle: ["Error", "Error"],
  sampleFailed: ["Failed to create sample data.", "No se pudieron crear los datos de prueba."],
  loadErrorTitle: ["Error Loading Leads", "Error al cargar los prospectos"],
});

/** Creates sample leads (demo only). */
function useCreateSampleData() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(createSampleData),
    onSuccess: ({ created }) => {
      const t = messagesOf(noLeadsMessages);
      toast({
        title: t("sampleCreatedTitle"),
        description: t("sampleCreated", { count: created }),
        tone: "success",
      });
      return refreshLeads(client);
    },
    onError: (error) => {
      const t = messagesOf(noLeadsMessages);
      toast({ title: t("errorTitle"), description: t("sampleFailed"), error, tone: "destructive" });
    },
  });
}

/** Shown when the leads could not be loaded. */
export function LeadsFailed({ found }: Pick<ComponentProps<typeof ListFailed>, "found">) {
  const t = useMessages(noLeadsMessages);
  return <ListFailed found={found} title={t("loadErrorTitle")} />;
}

interface NoLeadsProps {
  filtered: boolean;
  syncPhase: SyncPhase;
  onSync: () => void;
}

/** Shown for an empty list, with the ways to get leads. */
export default function NoLeads({ filtered, syncPhase, onSync }: NoLeadsProps) {
  const t = useMessages(noLeadsMessages);
  const createSampleData = useCreateSampleData();
  return (
    <EmptyState
      icon={Users}
      title={t("emptyTitle")}
      description={filtered ? t("emptyFiltered") : t("emptyUnfiltered")}
      actions={
        <>
          {!filtered && isDemoMode() ? (
            <Button
              variant="secondary"
              pending={createSampleData.isPending}
              onClick={() => createSampleData.mutate()}
            >
              {createSampleData.isPending ? t("addingTestLeads") : t("addTestLeads")}
            </Button>
          ) : null}
          <SyncButton label={t("syncLeadsFromGhl")} phase={syncPhase} onSync={onSync} />
        </>
      }
    />
  );
}
