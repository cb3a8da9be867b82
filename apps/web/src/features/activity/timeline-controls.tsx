import { type TimelineKind, timelineKinds } from "@portal/contract/entities/timeline";
import { limits } from "@portal/contract/limits";
import { useMessages } from "../../lib/i18n.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { CheckboxField } from "../../ui/checkbox.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { timelineMessages } from "./timeline-messages.ts";

/** Which entries of a timeline are shown. */
export interface TimelineFilter {
  readonly kind: TimelineKind | undefined;
  readonly search: string;
  readonly withSystem: boolean;
}

/** Everything that people did. */
export const everything: TimelineFilter = { kind: undefined, search: "", withSystem: false };

interface TimelineControlsProps {
  filter: TimelineFilter;
  onChange: (filter: TimelineFilter) => void;
}

/** Search, kind, and whether system events are shown. */
export function TimelineControls({ filter, onChange }: TimelineControlsProps) {
  const t = useMessages(timelineMessages);
  const [typed, setTyped] = useSearchText(filter.search, (search) =>
    onChange({ ...filter, search: search.trim() }),
  );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Input
        type="search"
        aria-label={t("search")}
        placeholder={t("search")}
        maxLength={limits.searchMaxLength}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="min-w-36 flex-1"
      />
      <Select
        aria-label={t("filter")}
        value={filter.kind ?? "all"}
        onValueChange={(kind) => onChange({ ...filter, kind: kind === "all" ? undefined : kind })}
        options={[
          { value: "all" as const, label: t("all") },
          ...timelineKinds.map((value) => ({ value, label: t(value) })),
        ]}
        className="w-36"
      />
      <CheckboxField
        checked={filter.withSystem}
        onChange={(withSystem) => onChange({ ...filter, withSystem })}
        className="text-muted-foreground"
      >
        {t("showSystem")}
      </CheckboxField>
    </div>
  );
}
