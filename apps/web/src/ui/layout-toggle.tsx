import type { ListLayout } from "@portal/contract/entities/lead-list";
import { LayoutGrid, List } from "lucide-react";
import { cn } from "../lib/cn.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";

const layoutMessages = defineMessages("list-layout", {
  layout: ["Layout", "Disposición"],
  cards: ["Cards", "Tarjetas"],
  table: ["Table", "Tabla"],
  rows: ["List", "Lista"],
});

interface LayoutToggleProps {
  value: ListLayout;
  onChange: (layout: ListLayout) => void;
  /** What the recorded layout is. */
  recorded: "cards" | "table";
}

/** The recorded layout of a list, or rows of one line. */
export function LayoutToggle({ value, onChange, recorded }: LayoutToggleProps) {
  const t = useMessages(layoutMessages);
  const choices = [
    { layout: "recorded", label: t(recorded), icon: LayoutGrid },
    { layout: "rows", label: t("rows"), icon: List },
  ] as const;
  return (
    <fieldset className="flex shrink-0 rounded-md border bg-surface p-0.5 shadow-card pointer-coarse:p-0">
      <legend className="sr-only">{t("layout")}</legend>
      {choices.map(({ layout, label, icon: Icon }) => (
        <button
          key={layout}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={value === layout}
          onClick={() => value === layout || onChange(layout)}
          className={cn(
            "grid h-7.5 w-8 place-items-center rounded-[0.3125rem] pointer-coarse:h-11 pointer-coarse:w-11",
            value === layout ? "bg-muted text-foreground" : "text-muted-foreground hover:text-foreground",
          )}
        >
          <Icon aria-hidden className="size-4" />
        </button>
      ))}
    </fieldset>
  );
}
