import { RefreshCw } from "lucide-react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { crmSyncMessages } from "../messages.ts";
import type { SyncPhase } from "../queries.ts";

interface SyncButtonProps {
  label: string;
  phase: SyncPhase;
  variant?: "primary" | "secondary";
  onSync: () => void;
}

/** Starts a sync and shows its phase. */
export function SyncButton({ label, phase, variant = "secondary", onSync }: SyncButtonProps) {
  const t = useMessages(crmSyncMessages);
  const texts = {
    idle: label,
    "syncing-leads": t("syncingLeads"),
    "syncing-recordings": t("syncingRecordings"),
  };
  return (
    <Button variant={variant} pending={phase !== "idle"} onClick={onSync}>
      {phase === "idle" ? <RefreshCw aria-hidden /> : null}
      {texts[phase]}
    </Button>
  );
}
