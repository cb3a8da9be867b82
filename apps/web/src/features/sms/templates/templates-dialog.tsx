import type { SmsTemplate } from "@portal/contract/routes/sms-templates";
import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { templateDialogMessages, templateMessages } from "./messages.ts";
import { templatesQuery, useChangeTemplate } from "./queries.ts";
import { TemplateForm } from "./template-form.tsx";

interface TemplatesDialogProps {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** The templates that one may use, one's own to change, and for administrators those that are shared. */
export default function TemplatesDialog({ onClose, returnFocusTo }: TemplatesDialogProps) {
  const t = useMessages(templateDialogMessages);
  const [edited, setEdited] = useState<SmsTemplate | "new" | null>(null);
  if (edited)
    return (
      <TemplateForm
        template={edited === "new" ? null : edited}
        onClose={() => setEdited(null)}
        returnFocusTo={returnFocusTo}
      />
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("title")}
      description={t("description")}
      returnFocusTo={returnFocusTo}
      className="max-w-xl"
    >
      <DialogBody className="grid content-start gap-4">
        <Groups onEdit={setEdited} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => setEdited("new")}>
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DialogFooter>
    </Dialog>
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
      <section key={label} aria-label={label} className="grid grid-cols-1 gap-2">
        <h3 className="font-medium text-muted-foreground text-xs">{label}</h3>
        <ul className="grid grid-cols-1 divide-y rounded-xl border">
          {group.map((template) => (
            <Entry key={template.id} template={template} {...(mayChange && { onEdit })} />
          ))}
        </ul>
      </section>
    ) : null;
  });
}

function Entry({ template, onEdit }: { template: SmsTemplate; onEdit?: (template: SmsTemplate) => void }) {
  const t = useMessages(templateDialogMessages);
  const { name, en, es, version, savedAt, sent, isForMissedCall } = template;
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
          <RemoveButton template={template} />
        </>
      ) : null}
    </li>
  );
}

function RemoveButton({ template: { id, name } }: { template: SmsTemplate }) {
  const t = useMessages(templateDialogMessages);
  const change = useChangeTemplate();
  const button = useRef<HTMLButtonElement>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        ref={button}
        variant="ghost"
        size="icon-sm"
        aria-label={t("remove", { name })}
        onClick={() => setAsking(true)}
      >
        <Trash2 aria-hidden />
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t("removeTitle")}
        description={t("removeText", { name })}
        cancelLabel={t("cancel")}
        confirmLabel={t("removeConfirm")}
        destructive
        pending={change.isPending}
        onConfirm={() => change.mutate({ kind: "delete", id }, { onSettled: () => setAsking(false) })}
        returnFocusTo={button}
      />
    </>
  );
}
