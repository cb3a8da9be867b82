import { FileUp, X } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { importMessages } from "../messages.ts";
import type { ImportFormat } from "../read-source.ts";

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
export function FilePicker({ format, file, disabled, onChoose }: FilePickerProps) {
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
