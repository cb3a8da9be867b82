import type { ReactNode } from "react";
import { cn } from "../../lib/cn.ts";
import { type MessageKey, useMessages } from "../../lib/i18n.ts";
import { kitMessages } from "./kit-messages.ts";

const themes = ["light", "dark"] as const;

interface SectionProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

/** Components of one kind in the light and the dark theme. */
export function Section({ title, hint, children }: SectionProps) {
  const t = useMessages(kitMessages);
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold text-base">{title}</h2>
      {hint ? <p className="text-muted-foreground text-sm">{hint}</p> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        {themes.map((theme) => (
          <section
            key={theme}
            aria-label={`${title}, ${t(theme)}`}
            data-side={theme}
            style={{ colorScheme: theme }}
            className={cn(
              theme,
              "grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 rounded-xl border bg-background p-4 text-foreground",
            )}
          >
            {children}
          </section>
        ))}
      </div>
    </section>
  );
}

interface SpecimenProps {
  /** The component's name. */
  part: string;
  state: MessageKey<typeof kitMessages.pairs>;
  /** Layout of several specimens: side by side, or stacked. */
  isStack?: boolean;
  children: ReactNode;
}

/** A component in one of its states. */
export function Specimen({ part, state, isStack = false, children }: SpecimenProps) {
  const t = useMessages(kitMessages);
  return (
    <div data-part={part} data-state={state} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-muted-foreground text-xs leading-4">{t(state)}</p>
      <div
        className={
          isStack
            ? "grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2"
            : "flex min-w-0 flex-wrap items-center gap-2"
        }
      >
        {children}
      </div>
    </div>
  );
}
