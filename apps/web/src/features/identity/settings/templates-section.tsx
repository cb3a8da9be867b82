import { useId, useRef } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { settingsMessages } from "./messages.ts";

const TemplatesDialog = lateComponent(() => import("../../sms/templates/templates-dialog.tsx"));

/** The way to one's templates of texts, which the composer offers by a slash. */
export function TemplatesSection() {
  const t = useMessages(settingsMessages);
  const titleId = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader>
        <CardTitle id={titleId}>{t("templatesTitle")}</CardTitle>
        <CardDescription>{t("templatesDescription")}</CardDescription>
      </CardHeader>
      <CardContent>
        <Button
          ref={button}
          variant="secondary"
          aria-haspopup="dialog"
          onClick={() => openDialog((close) => <TemplatesDialog onClose={close} returnFocusTo={button} />)}
        >
          {t("templatesOpen")}
        </Button>
      </CardContent>
    </Card>
  );
}
