import { limits } from "@portal/contract/limits";
import type { SmsTemplate } from "@portal/contract/routes/sms-templates";
import { templateFields, unknownFields } from "@portal/contract/sms-template";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/checkbox.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { EditableListDialog, ListGroup, RemoveButton } from "../../../ui/editable-list.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { templateDialogMessages, templateMessages } from "../messages.ts";
import { templatesQuery, useChangeTemplate } from "../queries.ts";

interface TemplatesDialogProps {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** The user's own templates to edit, and for administrators the shared ones. */
export default function TemplatesDialog({ onClose, returnFocusTo }: TemplatesDialogProps) {
  const t = useMessages(templateDialogMessages);
  return (
    <EditableListDialog<SmsTemplate>
      title={t("title")}
      description={t("description")}
      addLabel={t("add")}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
      list={(edit) => <Groups onEdit={edit} />}
      form={(edited, close) => (
        <TemplateForm template={edited} onClose={close} returnFocusTo={returnFocusTo} />
      )}
    />
  );
}

function Groups({ onEdit }: { onEdit: (template: SmsTemplate) => void }) {
  const t = useMessages(templateDialogMessages);
  const words = useMessages(templateMessages);
  const { data: templates, error } = useQuery(templatesQuery());
  const { data: user } = useQuery(currentUserQuery());
  if (error) return <FailureText error={error} fallback={words("loadFailed")} className="text-sm" />;
  if (!templates) return <p role="status">{words("loading")}</p>;
  if (templates.length === 0) return <p className="text-muted-foreground text-sm">{t("none")}</p>;
  return [
    { label: t("own"), isShared: false, mayChange: true },
    { label: t("sharedGroup"), isShared: true, mayChange: user?.role === "admin" },
  ].map(({ label, isShared, mayChange }) => {
    const group = templates.filter((template) => template.isShared === isShared);
    return group.length > 0 ? (
      <ListGroup key={label} label={label}>
        {group.map((template) => (
          <Entry key={template.id} template={template} {...(mayChange && { onEdit })} />
        ))}
      </ListGroup>
    ) : null;
  });
}

function Entry({ template, onEdit }: { template: SmsTemplate; onEdit?: (template: SmsTemplate) => void }) {
  const t = useMessages(templateDialogMessages);
  const change = useChangeTemplate();
  const { id, name, en, es, version, savedAt, sent, isForMissedCall } = template;
  return (
    <li className="flex items-start gap-2 px-3 py-2 text-sm">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          {name}
          {isForMissedCall ? <Badge tone="neutral">{t("forMissedCall")}</Badge> : null}
        </p>
        {[en, es].map((body) =>
          body ? (
            <p key={body} className="line-clamp-2 break-words text-muted-foreground text-xs">
              {body}
            </p>
          ) : null,
        )}
        <p className="text-muted-foreground text-xs">
          {t("version", { n: String(version), date: formatDate(savedAt) })} · {t("sent", { count: sent })}
        </p>
      </div>
      {onEdit ? (
        <>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t("edit", { name })}
            onClick={() => onEdit(template)}
          >
            <Pencil aria-hidden />
          </Button>
          <RemoveButton
            label={t("remove", { name })}
            question={{
              title: t("removeTitle"),
              description: t("removeText", { name }),
              cancelLabel: t("cancel"),
              confirmLabel: t("removeConfirm"),
            }}
            pending={change.isPending}
            onConfirm={(close) => change.mutate({ kind: "delete", id }, { onSettled: close })}
          />
        </>
      ) : null}
    </li>
  );
}

interface TemplateFormProps {
  /** Null for a new one. */
  template: SmsTemplate | null;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Name and texts of a template; whether it is shared is chosen at its creation only. */
function TemplateForm({ template, onClose, returnFocusTo }: TemplateFormProps) {
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
