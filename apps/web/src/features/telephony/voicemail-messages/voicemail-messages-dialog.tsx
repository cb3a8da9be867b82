import { type Language, languages } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import {
  getVoicemailSound,
  type VoicemailMessage,
  type VoicemailRecording,
} from "@portal/contract/routes/voicemail-messages";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type RefObject, useState } from "react";
import { routeUrl } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { currentLanguage, useMessages } from "../../../lib/i18n.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ChoiceCards } from "../../../ui/choice-cards.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { EditableListDialog, ListGroup, RemoveButton } from "../../../ui/editable-list.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { Select } from "../../../ui/select.tsx";
import { RecordingPlayer } from "../player/recording-player.tsx";
import { voicemailMessageMessages } from "./messages.ts";
import { useChangeMessage, voicemailMessagesQuery } from "./queries.ts";

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

interface VoicemailMessageFormProps {
  /** Null for a new one. */
  message: VoicemailMessage | null;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

const ways = ["phone", "file"] as const;

type Way = (typeof ways)[number];

/** A message's name, and for a new one its language and its sound: recorded by phone or uploaded. */
function VoicemailMessageForm({ message, onClose, returnFocusTo }: VoicemailMessageFormProps) {
  const t = useMessages(voicemailMessageMessages);
  const names = useMessages(leadLanguageMessages);
  const [name, setName] = useState(message?.name ?? "");
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const [way, setWay] = useState<Way>("phone");
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const change = useChangeMessage();

  function submit(): void {
    if (message) {
      change.mutate({ kind: "update", id: message.id, body: { name } }, { onSuccess: onClose });
    } else if (way === "phone") {
      change.mutate({ kind: "record", named: { name, language } }, { onSuccess: onClose });
    } else if (!file) {
      setFault(t("chooseFirst"));
    } else if (file.size > limits.voicemailMessageMaxBytes) {
      setFault(t("tooLarge"));
    } else {
      change.mutate({ kind: "upload", named: { name, language }, file }, { onSuccess: onClose });
    }
  }

  const rings = !message && way === "phone";
  return (
    <FormDialog
      title={t(message ? "renameTitle" : "addTitle")}
      cancel={t("cancel")}
      action={t(rings ? "ring" : "save")}
      acting={t(rings ? "ringing" : "saving")}
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
      {message ? null : (
        <>
          <Field label={t("language")}>
            {(control) => (
              <Select<Language>
                {...control}
                value={language}
                onValueChange={setLanguage}
                options={languages.map((value) => ({ value, label: names(value) }))}
              />
            )}
          </Field>
          <fieldset className="grid gap-2">
            <legend className="mb-1.5 font-medium text-[0.8125rem] leading-5">{t("way")}</legend>
            <ChoiceCards
              value={way}
              onChange={setWay}
              choices={ways.map((value) => ({
                value,
                label: t(`way_${value}`),
                hint: t(`way_${value}Hint`),
              }))}
              className="sm:grid-cols-2"
            />
          </fieldset>
          {way === "file" ? (
            <Field label={t("file")} error={fault}>
              {(control) => (
                <Input
                  {...control}
                  type="file"
                  accept=".wav,.mp3,audio/wav,audio/x-wav,audio/mpeg"
                  onChange={({ target }) => {
                    setFault(undefined);
                    setFile(target.files?.[0] ?? null);
                  }}
                />
              )}
            </Field>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
