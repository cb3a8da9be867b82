import type { CurrentUser } from "@portal/contract/entities/user";
import { type FormEvent, useId, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { useSaveCallSettings } from "../queries.ts";
import { settingsTexts } from "../texts.ts";

/** The call settings (specification §2, Settings). */
export function CallSection({ user }: { user: CurrentUser }) {
  const t = useTexts(settingsTexts);
  const titleId = useId();
  const labelId = useId();
  const hintId = useId();
  const [autoDial, setAutoDial] = useState(user.autoDial);
  const save = useSaveCallSettings();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate({ autoDial });
  };

  return (
    <Card aria-labelledby={titleId}>
      <form onSubmit={submit}>
        <CardHeader>
          <CardTitle id={titleId}>{t("callTitle")}</CardTitle>
          <CardDescription>{t("callDescription")}</CardDescription>
        </CardHeader>
        <CardContent>
          <div className="flex items-start justify-between gap-6">
            <div className="grid gap-0.5">
              <p id={labelId} className="font-medium text-sm">
                {t("autoDial")}
              </p>
              <p id={hintId} className="text-[0.8125rem] text-muted-foreground">
                {t("autoDialHint")}
              </p>
            </div>
            <Switch
              aria-labelledby={labelId}
              aria-describedby={hintId}
              checked={autoDial}
              onCheckedChange={setAutoDial}
            />
          </div>
        </CardContent>
        <CardFooter>
          <Button type="submit" pending={save.isPending}>
            {t(save.isPending ? "saving" : "saveCalls")}
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
