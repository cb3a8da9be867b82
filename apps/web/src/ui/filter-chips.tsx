import { X } from "lucide-react";
import { useMessages } from "../lib/i18n.ts";
import { Chip } from "./chip.tsx";
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
          <Chip isOn aria-label={t("removeFilter", { name: text })} onClick={onRemove}>
            <span className="truncate">{text}</span>
            <X aria-hidden />
          </Chip>
        </li>
      ))}
    </ul>
  );
}
