import { type DuplicateRule, duplicateRules } from "@portal/contract/entities/import";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.ts";
import { faultMessages, importMessages } from "../messages.ts";
import { useImportLeads } from "../queries.ts";
import type { ImportFormat } from "../read-source.ts";
import { type SourceState, useSource } from "../use-source.ts";
import { FilePicker } from "./file-picker.tsx";
import { ImportOutcome, ImportProgress } from "./import-outcome.tsx";
import { EncodingPicker, guessFields, type Mapping, MappingList } from "./mapping-list.tsx";

const words = {
  csv: {
    source: "CSV Import",
    paste: "pasteCsv",
    hint: "csvHint",
    sample: "name,email,phone\nAna Reyes,ana@example.com,(305) 555-0144",
    submit: "importCsv",
    fault: "csvErrorTitle",
  },
  json: {
    source: "JSON Import",
    paste: "pasteJson",
    hint: "jsonHint",
    sample: '[{ "name": "Ana Reyes", "email": "ana@example.com" }]',
    submit: "importJson",
    fault: "jsonErrorTitle",
  },
} as const;
const nameMax = 200;

/** Imports leads from a file or pasted text, after a preview. */
export function ImportForm({ format }: { format: ImportFormat }) {
  const t = useMessages(importMessages);
  const faultText = useFaultText();
  const word = words[format];
  const { state, typed, chosen, readAs, reconsider } = useSource(format);
  const [corrected, setCorrected] = useState<Mapping>({});
  const [duplicates, setDuplicates] = useState<DuplicateRule>("skip");
  const send = useImportLeads();
  const { opened, file } = state;
  const mapping = opened ? { ...guessFields(opened.look), ...corrected } : {};

  function give(change: () => void): void {
    setCorrected({});
    send.reset();
    change();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (send.isPending) return;
    if (state.fault)
      toast({ title: t(word.fault), description: faultText(state.fault), tone: "destructive" });
    if (!opened) return;
    const fileName = file ? file.name.toWellFormed().replaceAll("\u0000", "").slice(0, nameMax) : null;
    send.mutate({ opened, options: { sourceSystem: word.source, fileName, duplicates, mapping } });
  }

  return (
    <form onSubmit={submit} className="grid min-w-0 gap-5">
      <FilePicker
        format={format}
        file={file}
        disabled={send.isPending}
        onChoose={(next) => give(() => chosen(next))}
      />
      {file ? <FileFault state={state} text={faultText} /> : null}
      {file ? null : (
        <Field
          label={t(word.paste)}
          hint={t(word.hint)}
          error={state.fault ? faultText(state.fault) : undefined}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={5}
              spellCheck={false}
              className="font-mono text-xs pointer-coarse:text-base"
              placeholder={word.sample}
              value={state.text}
              readOnly={send.isPending}
              onChange={({ target }) => give(() => typed(target.value))}
            />
          )}
        </Field>
      )}
      {state.phase === "choosing" ? <EncodingPicker options={state.encodings} onChoose={readAs} /> : null}
      {state.encoding && (opened || state.fault) ? (
        <div>
          <Button variant="secondary" disabled={send.isPending} onClick={() => give(reconsider)}>
            {t("encodingAgain")}
          </Button>
        </div>
      ) : null}
      {opened ? (
        <MappingList look={opened.look} mapping={mapping} disabled={send.isPending} onChange={setCorrected} />
      ) : null}
      {opened ? <DuplicatesField value={duplicates} onChange={setDuplicates} /> : null}
      {send.isPending ? <ImportProgress /> : null}
      <div>
        <Button
          type="submit"
          disabled={state.phase === "empty" || state.phase === "choosing"}
          pending={send.isPending || state.phase === "reading"}
        >
          {t(submitLabel(send.isPending, state.phase) ?? word.submit)}
        </Button>
      </div>
      {send.data ? (
        <ImportOutcome
          key={send.data.importId}
          answer={send.data}
          brokenRows={send.variables.opened.look.brokenRows}
        />
      ) : null}
    </form>
  );
}

function submitLabel(isSending: boolean, phase: SourceState["phase"]): "importing" | "reading" | null {
  if (isSending) return "importing";
  return phase === "reading" ? "reading" : null;
}

type FaultText = (fault: NonNullable<SourceState["fault"]>) => string;

/** Returns the text of a source's fault. */
function useFaultText(): FaultText {
  const t = useMessages(importMessages);
  const faults = useMessages(faultMessages);
  return (fault) => (fault === "unreadable" ? t("failedText") : faults(fault));
}

function FileFault({ state, text }: { state: SourceState; text: FaultText }) {
  if (!state.fault) return null;
  return (
    <p role="alert" className="text-danger-text text-sm">
      {text(state.fault)}
    </p>
  );
}

function DuplicatesField({
  value,
  onChange,
}: {
  value: DuplicateRule;
  onChange: (rule: DuplicateRule) => void;
}) {
  const t = useMessages(importMessages);
  const options = duplicateRules.map((rule) => ({
    value: rule,
    label: t(rule === "skip" ? "duplicatesSkip" : "duplicatesUpdate"),
  }));
  return (
    <Field label={t("duplicates")} className="sm:max-w-xs">
      {(control) => <Select {...control} value={value} onValueChange={onChange} options={options} />}
    </Field>
  );
}
