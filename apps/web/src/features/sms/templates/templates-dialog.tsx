import type { SmsTemplate } from "@portal/contract/routes/sms-templates";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import type { RefObject } from "react";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EditableListDialog, ListGroup, RemoveButton } from "../../../ui/editable-list.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { templateDialogMessages, templateMessages } from "./messages.ts";
import { templatesQuery, useChangeTemplate } from "./queries.ts";
import { TemplateForm } from "./template-form.tsx";

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
