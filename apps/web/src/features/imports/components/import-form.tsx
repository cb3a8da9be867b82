import { type DuplicateRule, duplicateRules } from "@portal/contract/entities/import";
import { FileUp, X } from "lucide-react";
import { type DragEvent, type FormEvent, useId, useRef, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
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

const accepted = {
  csv: ".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain",
  json: ".json,.jsonl,.ndjson,.txt,application/json",
};

const kilobytes = { style: "unit", unit: "kilobyte" } as const;

interface FilePickerProps {
  format: ImportFormat;
  file: File | null;
  disabled: boolean;
  onChoose: (file: File | null) => void;
}

/** A local file, chosen or dropped. */
function FilePicker({ format, file, disabled, onChoose }: FilePickerProps) {
  const t = useMessages(importMessages);
  const input = useRef<HTMLInputElement>(null);
  const inputId = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped && !disabled) onChoose(dropped);
  };
  return (
    <fieldset
      aria-label={t(format === "csv" ? "csvFile" : "jsonFile")}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        "flex min-w-0 flex-wrap items-center gap-3 rounded-lg border border-dashed p-4",
        isOver && "border-ring bg-primary-soft",
      )}
    >
      <input
        ref={input}
        id={inputId}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={t(format === "csv" ? "csvFile" : "jsonFile")}
        accept={accepted[format]}
        disabled={disabled}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) onChoose(chosen);
          // So that the same file can be chosen again after it was corrected.
          target.value = "";
        }}
      />
      <Button variant="secondary" disabled={disabled} onClick={() => input.current?.click()}>
        <FileUp aria-hidden />
        {t("chooseFile")}
      </Button>
      {file ? (
        <span className="flex min-w-0 items-center gap-1 text-sm">
          <span className="truncate">
            {file.name} · {formatNumber(Math.max(1, Math.round(file.size / 1000)), kilobytes)}
          </span>
          <Button
            variant="ghost"
            size="icon-sm"
            disabled={disabled}
            aria-label={t("removeFile")}
            onClick={() => onChoose(null)}
          >
            <X aria-hidden />
          </Button>
        </span>
      ) : (
        <span className="text-muted-foreground text-sm">{t("dropHere")}</span>
      )}
    </fieldset>
  );
}
