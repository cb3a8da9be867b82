import { defineMessages } from "../../lib/i18n.ts";

export const crmSyncMessages = defineMessages("crm-sync", {
  syncLeads: ["Sync Leads", "Sincronizar prospectos"],
  syncAll: ["Sync All (Admin)", "Sincronizar todo (administrador)"],
  syncChanges: ["Sync Changes", "Sincronizar cambios"],
  syncingLeads: ["Syncing leads…", "Sincronizando prospectos…"],
  syncingRecordings: ["Syncing recordings…", "Sincronizando grabaciones…"],
});
