import { useId, useRef } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { settingsMessages } from "./messages.ts";

const VoicemailMessagesDialog = lateComponent(
  () => import("../../telephony/voicemail-messages/voicemail-messages-dialog.tsx"),
);

/** The way to one's recorded messages, which are left at leads' voicemails. */
export function VoicemailMessagesSection() {
  const t = useMessages(settingsMessages);
  const titleId = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader>
        <CardTitle id={titleId}>{t("voicemailMessagesTitle")}</CardTitle>
        <CardDescription>{t("voicemailMessagesDescription")}</CardDescription>
      </CardHeader>
      <CardContent>
        <Button
          ref={button}
          variant="secondary"
          aria-haspopup="dialog"
          onClick={() =>
            openDialog((close) => <VoicemailMessagesDialog onClose={close} returnFocusTo={button} />)
          }
        >
          {t("voicemailMessagesOpen")}
        </Button>
      </CardContent>
    </Card>
  );
}
