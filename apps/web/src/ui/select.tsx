import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { cn } from "../lib/cn.ts";
import { preloadCode } from "../lib/connection.ts";
import { useLateModule } from "../lib/late-module.ts";
import { type SelectProps, selectTriggerClasses } from "./select-trigger.ts";

const loadList = () => import("./select-list.tsx");

/** Loads the list's code, so that a select works offline even if none was opened before. */
export const preloadSelect = () => preloadCode(loadList);

/**
 * A list from which to pick one value. Needs a name: through `Field`, or `aria-label`. Values may not be ''. The list's code loads with the
 * first pointer or focus on it, not with the first paint; until it is opened a plain button is rendered.
 */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, onValueChange, options, placeholder, className, ...rest } = props;
  const [isWanted, setWanted] = useState(false);
  const list = useLateModule(loadList, isWanted);
  const chosen = options.find((option) => option.value === value);
  // The value is one of the options; a lazily loaded module cannot have their type.
  if (list) return <list.SelectList {...props} onValueChange={(next) => onValueChange(next as V)} />;
  return (
    <button
      {...rest}
      type="button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls={undefined}
      className={cn(selectTriggerClasses, className)}
      onPointerEnter={preloadSelect}
      onFocus={preloadSelect}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => (key === "ArrowDown" || key === "ArrowUp") && setWanted(true)}
    >
      <span className={cn(!chosen && "text-muted-foreground")}>{chosen?.label ?? placeholder}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
    </button>
  );
}
