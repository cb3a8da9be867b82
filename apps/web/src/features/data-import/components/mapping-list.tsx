import { type LeadField, leadFields } from "@portal/contract/lead-headers";
import { TriangleAlert } from "lucide-react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Select } from "../../../ui/select.tsx";
import type { SelectOption } from "../../../ui/select-trigger.ts";
import type { Mapping } from "../guess-fields.ts";
import type { Look } from "../read-source.ts";
import { fieldTexts, importTexts } from "../texts.ts";

const signs = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" } as const;
const encodings = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
};

interface MappingListProps {
  look: Look;
  mapping: Mapping;
  disabled: boolean;
  onChange: (mapping: Mapping) => void;
}

/** What was found in the file: each column with its first values and the field it fills, to be corrected. */
export function MappingList({ look, mapping, disabled, onChange }: MappingListProps) {
  const t = useTexts(importTexts);
  const fields = useTexts(fieldTexts);
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
        <Badge tone="primary">
          {t("rows", { count: look.total }).replace(String(look.total), formatNumber(look.total))}
        </Badge>
        {sign ? <Badge>{t("separatedBy", { sign: t(sign) })}</Badge> : null}
        {look.encoding ? <Badge>{encodings[look.encoding]}</Badge> : null}
      </div>
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

function Warning({ text }: { text: string }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  );
}
