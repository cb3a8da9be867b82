import type { ListPage } from "@portal/contract/entities/lead-list";
import { ArrowDown, ArrowUp, Columns3 } from "lucide-react";
import { useChangeListSetting } from "../lib/change-list-setting.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { useListColumns } from "../lib/list-address.ts";
import { Button } from "./button.tsx";
import { CheckboxField } from "./checkbox.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "./popover.tsx";

const columnsMessages = defineMessages("list-columns", {
  columns: ["Columns", "Columnas"],
  hint: [
    "Columns without room are left out, from the last.",
    "Las columnas que no caben se omiten, desde la última.",
  ],
  up: ["Move {name} up", "Subir {name}"],
  down: ["Move {name} down", "Bajar {name}"],
  reset: ["Reset columns", "Restablecer columnas"],
});

interface ColumnsMenuProps {
  page: ListPage;
  /** All available columns; the first one is always shown. */
  all: readonly { key: string; label: string }[];
  /** The default columns. */
  first: readonly string[];
  /** Columns of the open view, from the address: a new choice replaces them. */
  inAddress: string | undefined;
  onForget: () => void;
}

/** Chooses a list's columns and their order; saved with the account. */
export function ColumnsMenu({ page, all, first: initial, inAddress, onForget }: ColumnsMenuProps) {
  const t = useMessages(columnsMessages);
  const shown = useListColumns(page, { inAddress, first: initial }).split(",");
  const change = useChangeListSetting(page);
  const onChange = (columns: string[] | null) => {
    change({ columns: columns ?? [...initial] });
    if (inAddress !== undefined) onForget();
  };
  const [first] = all;
  const ordered = [
    ...shown.flatMap((key) => all.filter((column) => column.key === key)),
    ...all.filter(({ key }) => !shown.includes(key)),
  ];
  const move = (index: number, step: number) => {
    const next = [...shown];
    const [key] = next.splice(index, 1);
    if (key) next.splice(index + step, 0, key);
    onChange(next);
  };
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="secondary" size="icon" aria-label={t("columns")} title={t("columns")}>
          <Columns3 aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label={t("columns")} className="w-72">
        <ul className="grid">
          {ordered.map(({ key, label }) => {
            const index = shown.indexOf(key);
            const isFirst = key === first?.key;
            return (
              <li key={key} className="flex items-center gap-1">
                <CheckboxField
                  checked={index !== -1}
                  disabled={isFirst}
                  onChange={() =>
                    onChange(index === -1 ? [...shown, key] : shown.filter((each) => each !== key))
                  }
                  className="flex-1"
                >
                  {label}
                </CheckboxField>
                {index > 0 && !isFirst ? (
                  <>
                    <Button
                      variant="ghost"
                      size="icon-sm"
                      aria-label={t("up", { name: label })}
                      disabled={index === 1}
                      onClick={() => move(index, -1)}
                    >
                      <ArrowUp aria-hidden />
                    </Button>
                    <Button
                      variant="ghost"
                      size="icon-sm"
                      aria-label={t("down", { name: label })}
                      disabled={index === shown.length - 1}
                      onClick={() => move(index, 1)}
                    >
                      <ArrowDown aria-hidden />
                    </Button>
                  </>
                ) : null}
              </li>
            );
          })}
        </ul>
        <p className="pt-2 text-muted-foreground text-xs">{t("hint")}</p>
        <Button variant="ghost" size="sm" className="mt-1 -ml-3" onClick={() => onChange(null)}>
          {t("reset")}
        </Button>
      </PopoverContent>
    </Popover>
  );
}
