import { useMemo } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { closeDialer, useDialerScreen } from "../dialer-store.ts";
import { dialerTexts } from "../texts.ts";
import { DialerPanel } from "./dialer-panel.tsx";

const fullScreenOnPhones =
  "max-w-2xl max-sm:inset-0 max-sm:h-dvh max-sm:max-h-dvh max-sm:w-full max-sm:translate-x-0 max-sm:translate-y-0 max-sm:rounded-none max-sm:border-0";

/** The Auto-Dialer over the page (specification §2). Closed, the session goes on and the bar leads back to it. */
export default function DialerDialog() {
  const t = useTexts(dialerTexts);
  const { opener } = useDialerScreen();
  const returnFocusTo = useMemo(() => ({ current: opener }), [opener]);
  return (
    <Dialog
      open
      onOpenChange={closeDialer}
      title={t("title")}
      description={t("hint")}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      className={fullScreenOnPhones}
    >
      <DialogBody className="flex flex-col px-4 pb-0 sm:rounded-b-2xl [&>*]:flex-1">
        <DialerPanel />
      </DialogBody>
    </Dialog>
  );
}
