import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { cn } from "../lib/cn.ts";
import { preloadCode } from "../lib/connection.ts";
import { useLateModule } from "../lib/late-module.ts";
import { type SelectProps, selectTriggerClasses } from "./select-trigger.ts";

const loadList = () => import("./select-list.tsx");

/** Without a network a list that was never opened could not be. */
export const preloadSelect = () => preloadCode(loadList);

/**
 * A list to pick one value from. Needs a name: through `Field`, or `aria-label`. Values may not be ''. The list's code comes with the
 * first pointer or focus on it, not with the first paint; until it is opened a plain button stands in its place.
 */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, onValueChange, options, placeholder, className, ...rest } = props;
  const [isWanted, setWanted] = useState(false);
  const list = useLateModule(loadList, isWanted);
  const chosen = options.find((option) => option.value === value);
  // What is given is of the same options, though a module cannot carry their type.
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
