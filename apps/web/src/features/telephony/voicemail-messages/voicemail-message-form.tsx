import { type Language, languages } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import type { VoicemailMessage } from "@portal/contract/routes/voicemail-messages";
import { type RefObject, useState } from "react";
import { currentLanguage, useMessages } from "../../../lib/i18n.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { ChoiceCards } from "../../../ui/choice-cards.tsx";
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

const ways = ["phone", "file"] as const;
type Way = (typeof ways)[number];

/** A message's name, and for a new one its language and its sound: recorded by phone or uploaded. */
export function VoicemailMessageForm({ message, onClose, returnFocusTo }: VoicemailMessageFormProps) {
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
