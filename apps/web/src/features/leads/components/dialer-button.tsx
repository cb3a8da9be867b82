import { PhoneCall } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialer } from "../../dialer/dialer-store.ts";
import { leadsTexts } from "../texts.ts";

/** Opens the Auto-Dialer over the page (specification §2). */
export function DialerButton() {
  const t = useTexts(leadsTexts);
  return (
    <Button aria-haspopup="dialog" onClick={() => openDialer([])}>
      <PhoneCall aria-hidden />
      {t("autoDialer")}
    </Button>
  );
}
