import { limits } from "@portal/contract/limits";
import type { SmsTemplate } from "@portal/contract/routes/sms-templates";
import { templateFields, unknownFields } from "@portal/contract/sms-template";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { templateDialogMessages, templateMessages } from "./messages.ts";
import { useChangeTemplate } from "./queries.ts";

interface TemplateFormProps {
  /** Null for a new one. */
  template: SmsTemplate | null;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Name and texts of a template; whether it is shared is chosen at its creation only. */
export function TemplateForm({ template, onClose, returnFocusTo }: TemplateFormProps) {
  const t = useMessages(templateDialogMessages);
  const { data: user } = useQuery(currentUserQuery());
  const [name, setName] = useState(template?.name ?? "");
  const [en, setEn] = useState(template?.en ?? "");
  const [es, setEs] = useState(template?.es ?? "");
  const [isForMissedCall, setForMissedCall] = useState(template?.isForMissedCall ?? false);
  const [isShared, setShared] = useState(false);
  const change = useChangeTemplate();
  const body = { name, en, es, isForMissedCall };
  const submit = () =>
    change.mutate(
      template
        ? { kind: "update", id: template.id, body: { ...body, version: template.version } }
        : { kind: "create", body: { ...body, isShared } },
      { onSuccess: onClose },
    );
  return (
    <FormDialog
      title={t(template ? "editTitle" : "newTitle")}
      description={t("bothHint")}
      cancel={t("cancel")}
      action={t("save")}
      acting={t("saving")}
      isPending={change.isPending}
      onSubmit={submit}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <Field label={t("name")}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            maxLength={limits.nameMaxLength}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <WordsField label={t("english")} lang="en" value={en} onChange={setEn} />
      <WordsField label={t("spanish")} lang="es" value={es} onChange={setEs} />
      <p className="text-[0.8125rem] text-muted-foreground">
        {t("fallbackHint", { example: `{{${t("fallbackExample")}}}` })}
      </p>
      <CheckboxField checked={isForMissedCall} onChange={setForMissedCall}>
        {t("missedOption")}
      </CheckboxField>
      {!template && user?.role === "admin" ? (
        <CheckboxField checked={isShared} onChange={setShared}>
          {t("share")}
        </CheckboxField>
      ) : null}
    </FormDialog>
  );
}

interface WordsFieldProps {
  label: string;
  lang: string;
  value: string;
  onChange: (value: string) => void;
}

/** The text in one language, with buttons that insert fields at the caret. */
function WordsField({ label, lang, value, onChange }: WordsFieldProps) {
  const t = useMessages(templateDialogMessages);
  const names = useMessages(templateMessages);
  const field = useRef<HTMLTextAreaElement>(null);
  const [unknown] = unknownFields(value);
  function insert(name: string): void {
    const { selectionStart = value.length, selectionEnd = value.length } = field.current ?? {};
    const mark = `{{${name}}}`;
    flushSync(() => onChange(value.slice(0, selectionStart) + mark + value.slice(selectionEnd)));
    field.current?.focus();
    field.current?.setSelectionRange(selectionStart + mark.length, selectionStart + mark.length);
  }
  return (
    <Field
      label={label}
      error={unknown === undefined ? undefined : names("noField", { field: `{{${unknown}}}` })}
    >
      {(control) => (
        <>
          <Textarea
            {...control}
            ref={field}
            lang={lang}
            rows={3}
            maxLength={limits.smsMaxLength}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <fieldset aria-label={`${t("insert")}: ${label}`} className="flex flex-wrap gap-1.5">
            {templateFields.map((name) => (
              <Button key={name} size="sm" variant="secondary" onClick={() => insert(name)}>
                {names(`field_${name}`)}
              </Button>
            ))}
          </fieldset>
        </>
      )}
    </Field>
  );
}
