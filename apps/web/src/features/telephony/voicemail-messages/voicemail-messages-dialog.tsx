import { languages } from "@portal/contract/entities/user";
import {
  getVoicemailSound,
  type VoicemailMessage,
  type VoicemailRecording,
} from "@portal/contract/routes/voicemail-messages";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import type { RefObject } from "react";
import { routeUrl } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EditableListDialog, ListGroup, RemoveButton } from "../../../ui/editable-list.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { RecordingPlayer } from "../player/recording-player.tsx";
import { voicemailMessageMessages } from "./messages.ts";
import { useChangeMessage, voicemailMessagesQuery } from "./queries.ts";
import { VoicemailMessageForm } from "./voicemail-message-form.tsx";

interface VoicemailMessagesDialogProps {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** The user's recorded messages by language: play, rename, make default, delete, and add. */
export default function VoicemailMessagesDialog({ onClose, returnFocusTo }: VoicemailMessagesDialogProps) {
  const t = useMessages(voicemailMessageMessages);
  return (
    <EditableListDialog<VoicemailMessage>
      title={t("title")}
      description={t("description")}
      addLabel={t("add")}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
      list={(edit) => <Groups onEdit={edit} />}
      form={(edited, close) => (
        <VoicemailMessageForm message={edited} onClose={close} returnFocusTo={returnFocusTo} />
      )}
    />
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
          <ListGroup key={language} label={names(language)}>
            {group.map((message) => (
              <Entry key={message.id} message={message} onEdit={onEdit} />
            ))}
          </ListGroup>
        ) : null;
      })}
    </>
  );
}

/** Progress of the call that records a message; a saved one is in the list. */
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
  const removal = useChangeMessage();
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
        <RemoveButton
          label={t("remove", { name })}
          question={{
            title: t("removeTitle"),
            description: t("removeText", { name }),
            cancelLabel: t("cancel"),
            confirmLabel: t("removeConfirm"),
          }}
          pending={removal.isPending}
          onConfirm={(close) => removal.mutate({ kind: "delete", id }, { onSettled: close })}
        />
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
