import type { CurrentUser } from "@portal/contract/entities/user";
import { updateInterfaceSettings } from "@portal/contract/routes/account";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { useQueryClient } from "@tanstack/react-query";
import { Pin, PinOff } from "lucide-react";
import { callRoute } from "../lib/api.ts";
import { useMessages } from "../lib/i18n.ts";
import { Button } from "../ui/button.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { shellMessages } from "./shell-messages.ts";

interface PinButtonProps {
  isPinned: boolean;
  /** Called when the sidebar is unpinned: it stays open until the next navigation. */
  onUnpin: () => void;
}

/** Keeps the sidebar open: at once on this page, and as a setting of the account for every browser. */
export default function PinButton({ isPinned, onUnpin }: PinButtonProps) {
  const t = useMessages(shellMessages);
  const client = useQueryClient();
  const Icon = isPinned ? PinOff : Pin;
  function press(): void {
    const sidebarPinned = !isPinned;
    if (isPinned) onUnpin();
    client.setQueryData<CurrentUser | null>(
      [getCurrentUser.path],
      (known) => known && { ...known, sidebarPinned },
    );
    // If saving fails, the setting lasts for as long as the page is open.
    void callRoute(updateInterfaceSettings, { body: { sidebarPinned } }).catch(() => undefined);
  }
  return (
    <Tooltip content={t("pinSidebar")} side="right">
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("pinSidebar")}
        aria-pressed={isPinned}
        onClick={press}
        className="text-muted-foreground aria-pressed:bg-primary-soft aria-pressed:text-primary-text"
      >
        <Icon aria-hidden />
      </Button>
    </Tooltip>
  );
}
