import { type Language, languages } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import type { VoicemailMessage } from "@portal/contract/routes/voicemail-messages";
import { type RefObject, useState } from "react";
import { currentLanguage, useMessages } from "../../../lib/i18n.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { voicemailMessageMessages } from "./messages.ts";
import { useChangeMessage } from "./queries.ts";

interface VoicemailMessageFormProps {
  /** Null for a new one. */
  message: VoicemailMessage | null;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** A message's name, and for a new one its language and sound. */
export function VoicemailMessageForm({ message, onClose, returnFocusTo }: VoicemailMessageFormProps) {
  const t = useMessages(voicemailMessageMessages);
  const names = useMessages(leadLanguageMessages);
  const [name, setName] = useState(message?.name ?? "");
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const change = useChangeMessage();

  function submit(): void {
    if (message) {
      change.mutate({ kind: "update", id: message.id, body: { name } }, { onSuccess: onClose });
    } else if (!file) {
      setFault(t("chooseFirst"));
    } else if (file.size > limits.voicemailMessageMaxBytes) {
      setFault(t("tooLarge"));
    } else {
      change.mutate({ kind: "upload", query: { name, language }, file }, { onSuccess: onClose });
    }
  }

  return (
    <FormDialog
      title={t(message ? "renameTitle" : "addTitle")}
      description={message ? undefined : t("addHint")}
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
        </>
      )}
    </FormDialog>
  );
}
