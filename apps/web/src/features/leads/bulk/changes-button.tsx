import { History } from "lucide-react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { bulkMessages } from "./messages.ts";

const ChangesDialog = lateComponent(() => import("./changes-dialog.tsx"));

/** Opens 'Changes made together'. */
export function ChangesButton() {
  const t = useMessages(bulkMessages);
  return (
    <Button
      variant="secondary"
      size="icon"
      aria-haspopup="dialog"
      aria-label={t("history")}
      title={t("history")}
      onClick={() => openDialog((close) => <ChangesDialog onClose={close} />)}
    >
      <History aria-hidden />
    </Button>
  );
}
