import { X } from "lucide-react";
import { useMessages } from "../lib/i18n.ts";
import { uiMessages } from "./messages.ts";

export interface FilterChip {
  key: string;
  label: string;
  onRemove: () => void;
}

/** Filters that no control of the page offers, because a link brought them: each can be taken off. */
export function FilterChips({ label, chips }: { label: string; chips: readonly FilterChip[] }) {
  const t = useMessages(uiMessages);
  if (chips.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {chips.map(({ key, label: text, onRemove }) => (
        <li key={key} className="min-w-0">
          <button
            type="button"
            aria-label={t("removeFilter", { name: text })}
            onClick={onRemove}
            className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full bg-primary-soft py-1 pr-2.5 pl-3.5 font-medium text-primary-text text-sm hover:bg-primary-soft/70 pointer-coarse:min-h-11"
          >
            <span className="truncate">{text}</span>
            <X aria-hidden className="size-3.5 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
}
