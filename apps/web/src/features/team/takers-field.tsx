import type { TeamMember } from "@portal/contract/routes/team";
import { type ReactNode, useId, useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { CheckboxField } from "../../ui/checkbox.tsx";
import { Input } from "../../ui/input.tsx";
import { teamDialogMessages } from "./dialog-messages.ts";
import { filterTeam } from "./filter-team.ts";

interface TakersFieldProps {
  label: string;
  hint: ReactNode;
  error: string | undefined;
  /** The consultants who can receive leads. */
  takers: readonly TeamMember[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
}

/** From this number on there is a search field. */
const searchFrom = 9;

/** Selects one or several consultants who receive the leads, each with their current number of leads. */
export function TakersField({ label, hint, error, takers, chosen, onChange }: TakersFieldProps) {
  const t = useMessages(teamDialogMessages);
  const noteId = useId();
  const [search, setSearch] = useState("");
  const found = filterTeam(takers, { search, state: "open" });
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  if (takers.length === 0) return <p className="text-muted-foreground text-sm">{t("takersNone")}</p>;
  return (
    <fieldset aria-describedby={noteId} aria-invalid={error ? true : undefined} className="grid gap-2">
      <legend className="mb-2 font-medium text-[0.8125rem] leading-5">{label}</legend>
      {takers.length >= searchFrom ? (
        <Input
          type="search"
          aria-label={t("takersSearch")}
          placeholder={t("takersSearch")}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      ) : null}
      <div className="max-h-48 overflow-y-auto rounded-md border">
        {found.map(({ id, name, leads }) => (
          <CheckboxField
            key={id}
            checked={chosen.has(id)}
            onChange={() => toggle(id)}
            className="min-h-9 w-full border-b px-3 last:border-b-0 hover:bg-muted/60"
          >
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
            <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
              {t("leadCount", { count: leads, n: formatNumber(leads) })}
            </span>
          </CheckboxField>
        ))}
      </div>
      <p
        id={noteId}
        role={error ? "alert" : undefined}
        className={error ? "text-[0.8125rem] text-danger-text" : "text-[0.8125rem] text-muted-foreground"}
      >
        {error ?? (
          <>
            {chosen.size > 0 ? (
              <span className="text-foreground">{t("chosen", { count: chosen.size })}. </span>
            ) : null}
            {hint}
          </>
        )}
      </p>
    </fieldset>
  );
}
