import { type LeadField, leadFieldOf, leadFields } from "@portal/contract/lead-headers";
import { useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ChoiceCards } from "../../../ui/choice-cards.tsx";
import { Select } from "../../../ui/select.tsx";
import type { SelectOption } from "../../../ui/select-trigger.ts";
import type { Encoding, SelectedEncoding } from "../decode-text.ts";
import type { EncodingOption } from "../encoding-values.ts";
import { fieldMessages, importMessages } from "../messages.ts";
import type { SourcePreview } from "../read-source.ts";
import { BrokenRows, Warning } from "./import-outcome.tsx";

const signs = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" } as const;

interface MappingListProps {
  look: SourcePreview;
  mapping: Mapping;
  disabled: boolean;
  onChange: (mapping: Mapping) => void;
}

/** The columns of the file, each with its first values and its field, which can be changed. */
export function MappingList({ look, mapping, disabled, onChange }: MappingListProps) {
  const t = useMessages(importMessages);
  const fields = useMessages(fieldMessages);
  const options: SelectOption<LeadField | "keep">[] = [
    { value: "keep", label: t("keep") },
    ...leadFields.map((field) => ({ value: field, label: fields(field) })),
  ];
  const sign = look.delimiter ? signs[look.delimiter as keyof typeof signs] : undefined;
  const wanted = Object.values(mapping);
  return (
    <section aria-label={t("previewTitle")} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="mr-1 font-semibold text-sm">{t("previewTitle")}</h3>
        <Badge tone="primary">{t("rows", { count: look.total })}</Badge>
        {sign ? <Badge>{t("separatedBy", { sign: t(sign) })}</Badge> : null}
        {look.encoding ? <Badge>{encodingNames[look.encoding]}</Badge> : null}
      </div>
      <BrokenRows rows={look.brokenRows} />
      {look.strayQuotes > 0 ? <Warning text={t("strayQuotes", { count: look.strayQuotes })} /> : null}
      {wanted.includes("email") || wanted.includes("phone") ? null : <Warning text={t("noContact")} />}
      <ul className="max-h-96 divide-y overflow-y-auto rounded-lg border">
        {look.columns.map((column, index) => (
          <li
            key={column}
            className="grid items-center gap-x-4 gap-y-1.5 px-3 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_12.5rem]"
          >
            <span className="truncate font-medium text-sm" title={column}>
              {column}
            </span>
            <span className="truncate text-muted-foreground text-sm">
              {look.samples
                .map((row) => row[index]?.trim())
                .filter(Boolean)
                .slice(0, 3)
                .join(" · ") || "—"}
            </span>
            <Select
              aria-label={t("fieldOf", { column })}
              disabled={disabled}
              value={mapping[column] ?? "keep"}
              options={options}
              onValueChange={(field) => onChange({ ...mapping, [column]: field === "keep" ? null : field })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Names of encodings, not translated. */
const encodingNames: Record<Encoding, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
  macintosh: "Mac Roman",
  cp850: "CP850 (DOS)",
};

interface EncodingPickerProps {
  options: EncodingOption[];
  onChoose: (encoding: SelectedEncoding) => void;
}

/**
 * Chooses a file's encoding by how its names would read in each. The likeliest is preselected; the file is only read after confirmation.
 */
export function EncodingPicker({ options, onChoose }: EncodingPickerProps) {
  const t = useMessages(importMessages);
  const [chosen, setChosen] = useState(options[0]);
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-lg border p-4">
      <legend className="px-1 font-semibold text-sm">{t("encodingTitle")}</legend>
      <p className="text-muted-foreground text-sm">{t("encodingText")}</p>
      <ChoiceCards
        value={chosen?.encoding}
        onChange={(encoding) => setChosen(options.find((option) => option.encoding === encoding))}
        choices={options.map(({ encoding, words }) => ({
          value: encoding,
          label: words.join(" · "),
          hint: encodingNames[encoding],
        }))}
      />
      <div>
        <Button onClick={() => chosen && onChoose(chosen)}>{t("encodingConfirm")}</Button>
      </div>
    </fieldset>
  );
}

export type Mapping = Record<string, LeadField | null>;

/** Whether a column contains email addresses. */
function holdsEmails(samples: string[][], index: number): boolean {
  const values = samples.map((row) => row[index]?.trim() ?? "").filter(Boolean);
  return values.length > 0 && values.every((value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value));
}

/** The field of each column by its header; the email, if no header names it, by the first rows. */
export function guessFields({ columns, samples }: Pick<SourcePreview, "columns" | "samples">): Mapping {
  const mapping: Mapping = Object.fromEntries(columns.map((column) => [column, leadFieldOf(column)]));
  if (!Object.values(mapping).includes("email")) {
    const index = columns.findIndex((column, at) => mapping[column] === null && holdsEmails(samples, at));
    const column = columns[index];
    if (column !== undefined) mapping[column] = "email";
  }
  return mapping;
}
