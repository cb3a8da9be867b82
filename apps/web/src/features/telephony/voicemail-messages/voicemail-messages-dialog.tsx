import { languages } from "@portal/contract/entities/user";
import {
  getVoicemailSound,
  type VoicemailMessage,
  type VoicemailRecording,
} from "@portal/contract/routes/voicemail-messages";
import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { routeUrl } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { RecordingPlayer } from "../player/recording-player.tsx";
import { voicemailMessageMessages } from "./messages.ts";
import { useChangeMessage, voicemailMessagesQuery } from "./queries.ts";
import { VoicemailMessageForm } from "./voicemail-message-form.tsx";

interface VoicemailMessagesDialogProps {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** One's recorded messages by language: to hear, to rename, to choose the default, to delete, and to add one. */
export default function VoicemailMessagesDialog({ onClose, returnFocusTo }: VoicemailMessagesDialogProps) {
  const t = useMessages(voicemailMessageMessages);
  const [edited, setEdited] = useState<VoicemailMessage | "new" | null>(null);
  if (edited)
    return (
      <VoicemailMessageForm
        message={edited === "new" ? null : edited}
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

function Groups({ onEdit }: { onEdit: (message: VoicemailMessage) => void }) {
  const t = useMessages(voicemailMessageMessages);
  const names = useMessages(leadLanguageMessages);
  const { data, error } = useQuery(voicemailMessagesQuery());
  if (error) return <FailureText error={error} fallback={t("loadFailed")} className="text-sm" />;
  if (!data) return <p role="status">{t("loading")}</p>;
  return (
    <>
      {data.isOn ? null : (
        <p className="rounded-lg bg-warning-soft px-3 py-2 text-sm text-warning-text">{t("off")}</p>
      )}
      {data.recording ? <RecordingState recording={data.recording} /> : null}
      {data.messages.length === 0 ? <p className="text-muted-foreground text-sm">{t("none")}</p> : null}
      {languages.map((language) => {
        const group = data.messages.filter((message) => message.language === language);
        return group.length > 0 ? (
          <section key={language} aria-label={names(language)} className="grid grid-cols-1 gap-2">
            <h3 className="font-medium text-muted-foreground text-xs">{names(language)}</h3>
            <ul className="grid grid-cols-1 divide-y rounded-xl border">
              {group.map((message) => (
                <Entry key={message.id} message={message} onEdit={onEdit} />
              ))}
            </ul>
          </section>
        ) : null;
      })}
    </>
  );
}

/** How far the call is that records a message; one that is saved stands in the list. */
function RecordingState({ recording: { name, state, failure } }: { recording: VoicemailRecording }) {
  const t = useMessages(voicemailMessageMessages);
  if (state === "saved") return null;
  const words = failure
    ? t(`failure_${failure}`, { name })
    : t(`state_${state === "calling" ? state : "recording"}`, { name });
  return (
    <p
      role="status"
      className={cn(
        "rounded-lg px-3 py-2 text-sm [overflow-wrap:anywhere]",
        failure ? "bg-warning-soft text-warning-text" : "bg-primary-soft",
      )}
    >
      {words}
    </p>
  );
}

interface EntryProps {
  message: VoicemailMessage;
  onEdit: (message: VoicemailMessage) => void;
}

function Entry({ message, onEdit }: EntryProps) {
  const t = useMessages(voicemailMessageMessages);
  const change = useChangeMessage();
  const { id, name, seconds, isDefault } = message;
  return (
    <li className="grid grid-cols-1 gap-2 px-3 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-1">
        <p className="min-w-0 flex-1 font-medium max-sm:basis-full [overflow-wrap:anywhere]">{name}</p>
        {isDefault ? (
          <Badge tone="neutral">{t("isDefault")}</Badge>
        ) : (
          <Button
            size="sm"
            variant="ghost"
            aria-label={t("makeDefaultOf", { name })}
            pending={change.isPending}
            onClick={() => change.mutate({ kind: "update", id, body: { isDefault: true } })}
          >
            {t("makeDefault")}
          </Button>
        )}
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t("rename", { name })}
          onClick={() => onEdit(message)}
        >
          <Pencil aria-hidden />
        </Button>
        <RemoveButton message={message} />
      </div>
      <RecordingPlayer
        kind="voicemail"
        url={routeUrl(getVoicemailSound, { params: { id } })}
        name={name}
        seconds={seconds}
      />
    </li>
  );
}

function RemoveButton({ message: { id, name } }: { message: VoicemailMessage }) {
  const t = useMessages(voicemailMessageMessages);
  const change = useChangeMessage();
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
