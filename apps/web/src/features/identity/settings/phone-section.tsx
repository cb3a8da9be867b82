import type { CurrentUser } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import { getPhoneNumbers } from "@portal/contract/routes/calls";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { settingsMessages } from "./messages.ts";
import { useSavePhone } from "./queries.ts";

const PLACEHOLDER = "(787) 555-0123";

/** The number that is rung first. Saving is off while it is empty or pending. */
export function PhoneSection({ user }: { user: CurrentUser }) {
  const t = useMessages(settingsMessages);
  const titleId = useId();
  const [phone, setPhone] = useState(user.personalPhoneNumber ?? "");
  const save = useSavePhone();
  const isEmpty = phone.trim() === "";
  const { data: numbers } = useQuery({ ...routeQuery(getPhoneNumbers), enabled: !user.personalPhoneNumber });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty && !save.isPending) save.mutate(phone.trim());
  };

  return (
    <Card aria-labelledby={titleId}>
      <form noValidate onSubmit={submit}>
        <CardHeader>
          <CardTitle id={titleId}>{t("phoneTitle")}</CardTitle>
          <CardDescription>{t("phoneDescription")}</CardDescription>
        </CardHeader>
        <CardContent>
          <Field label={t("phone")} hint={t("phoneHint")} className="max-w-sm">
            {(control) => (
              <Input
                {...control}
                type="tel"
                autoComplete="tel"
                maxLength={limits.phoneMaxLength}
                placeholder={PLACEHOLDER}
                value={phone}
                onChange={(event) => setPhone(event.target.value)}
              />
            )}
          </Field>
          {numbers && !user.personalPhoneNumber ? (
            <p className="mt-3 text-muted-foreground text-sm">
              {numbers.officeLine
                ? t("phoneOffice", { phone: formatPhone(numbers.officeLine) })
                : t("phoneNone")}
            </p>
          ) : null}
        </CardContent>
        <CardFooter>
          <Button type="submit" variant="secondary" disabled={isEmpty} pending={save.isPending}>
            {t(save.isPending ? "saving" : "savePhone")}
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
