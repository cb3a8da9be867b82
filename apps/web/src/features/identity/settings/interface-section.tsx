import { type FormEvent, useId, useState } from "react";
import { type Language, useLanguage, useMessages } from "../../../lib/i18n.ts";
import { type Theme, useTheme } from "../../../lib/theme.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import type { SelectOption } from "../../../ui/select-trigger.ts";
import { settingsMessages } from "./messages.ts";
import { useSaveInterface } from "./queries.ts";

/** Theme and language; nothing changes until they are saved. */
export function InterfaceSection() {
  const t = useMessages(settingsMessages);
  const titleId = useId();
  const [theme, setTheme] = useState<Theme>(useTheme());
  const [language, setLanguage] = useState<Language>(useLanguage());
  const save = useSaveInterface();

  const themes: SelectOption<Theme>[] = [
    { value: "light", label: t("themeLight") },
    { value: "dark", label: t("themeDark") },
    { value: "auto", label: t("themeAuto") },
  ];
  const languages: SelectOption<Language>[] = [
    { value: "en", label: t("languageEn") },
    { value: "es", label: t("languageEs") },
  ];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate({ theme, language });
  };

  return (
    <Card aria-labelledby={titleId}>
      <form onSubmit={submit}>
        <CardHeader>
          <CardTitle id={titleId}>{t("interfaceTitle")}</CardTitle>
          <CardDescription>{t("interfaceDescription")}</CardDescription>
        </CardHeader>
        <CardContent className="grid gap-4 sm:grid-cols-2">
          <Field label={t("theme")}>
            {(control) => <Select {...control} value={theme} onValueChange={setTheme} options={themes} />}
          </Field>
          <Field label={t("language")}>
            {(control) => (
              <Select {...control} value={language} onValueChange={setLanguage} options={languages} />
            )}
          </Field>
        </CardContent>
        <CardFooter>
          <Button type="submit" variant="secondary" pending={save.isPending}>
            {t(save.isPending ? "saving" : "saveInterface")}
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
