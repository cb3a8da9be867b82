import { X } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import { offButton } from "./button.tsx";
import { uiMessages } from "./messages.ts";

interface ChipProps extends ComponentProps<"button"> {
  /** It is selected, or its filter is active. */
  isOn?: boolean;
}

/** A choice, filter or group among several, as wide as its text. */
export function Chip({ isOn = false, disabled, className, ...props }: ChipProps) {
  return (
    <button
      type="button"
      className={cn(
        "inline-flex min-h-8 max-w-full items-center gap-1 rounded-full border px-3 text-left font-medium text-[0.8125rem] leading-4.5 transition-colors aria-disabled:opacity-50 pointer-coarse:min-h-11 [&_svg]:size-3.5 [&_svg]:shrink-0",
        isOn
          ? "border-primary bg-primary-soft text-primary-text hover:bg-primary-soft/70"
          : "bg-surface hover:bg-muted",
        className,
      )}
      {...props}
      {...(disabled ? offButton : {})}
    />
  );
}

export interface FilterChip {
  key: string;
  label: string;
  onRemove: () => void;
}

/** Filters from a link that no control of the page offers: each can be removed. */
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
