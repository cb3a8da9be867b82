import {
  attemptFilters,
  followUpFilters,
  languageFilters,
  lastContactFilters,
  localTimeFilters,
} from "@portal/contract/entities/lead-list";
import { getLeadsReport } from "@portal/contract/routes/reports";
import { useQuery } from "@tanstack/react-query";
import { ListFilter } from "lucide-react";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { CountBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../../ui/popover.tsx";
import { Select } from "../../../ui/select.tsx";
import type { SelectOption } from "../../../ui/select-trigger.ts";
import { countWorkFilters, type LeadFilters, offeredSorts, type WorkFilters } from "../lead-search.ts";

const filterMessages = defineMessages("lead-filter-menu", {
  filters: ["Filters", "Filtros"],
  chosen_one: ["{count} filter", "{count} filtro"],
  chosen_other: ["{count} filters", "{count} filtros"],
  any: ["Any", "Cualquiera"],
  attempts: ["Call attempts", "Intentos de llamada"],
  attemptsNone: ["None", "Ninguno"],
  attemptsOnce: ["One", "Uno"],
  attemptsTwice: ["Two", "Dos"],
  attemptsMore: ["Three or more", "Tres o más"],
  lastContact: ["Last contact", "Último contacto"],
  lastContact_never: ["Never", "Nunca"],
  lastContact_today: ["Today", "Hoy"],
  lastContact_week: ["Last 7 days", "Últimos 7 días"],
  lastContact_month: ["Last 30 days", "Últimos 30 días"],
  lastContact_older: ["Over 30 days ago", "Hace más de 30 días"],
  followUp: ["Follow-up", "Seguimiento"],
  followUp_any: ["With a date", "Con fecha"],
  followUp_overdue: ["Overdue", "Atrasado"],
  followUp_today: ["Today", "Hoy"],
  followUp_week: ["Next 7 days", "Próximos 7 días"],
  followUp_later: ["Later", "Más adelante"],
  followUp_none: ["Without a date", "Sin fecha"],
  localTime: ["Their local time", "Su hora local"],
  localTime_day: ["8 AM to 8 PM", "De 8 a. m. a 8 p. m."],
  localTime_morning: ["Morning, 8 AM to noon", "Mañana, de 8 a. m. a mediodía"],
  localTime_afternoon: ["Afternoon, noon to 5 PM", "Tarde, de mediodía a 5 p. m."],
  localTime_evening: ["Evening, 5 to 9 PM", "Noche, de 5 a 9 p. m."],
  unread: ["Texts", "Mensajes"],
  unread_yes: ["Unread", "Sin leer"],
  source: ["Source", "Origen"],
  sort: ["Order", "Orden"],
  sort_newest: ["Newest first", "Más recientes primero"],
  sort_oldest: ["Oldest first", "Más antiguos primero"],
  sort_name: ["Name A to Z", "Nombre de A a Z"],
  sort_name_desc: ["Name Z to A", "Nombre de Z a A"],
  sort_attempt: ["Longest without an attempt", "Más tiempo sin intento"],
  sort_attempt_desc: ["Latest attempt first", "Último intento primero"],
  sort_follow_up: ["Next follow-up first", "Próximo seguimiento primero"],
});

const attemptLabels = {
  none: "attemptsNone",
  one: "attemptsOnce",
  two: "attemptsTwice",
  more: "attemptsMore",
} as const;

type MenuFilters = Pick<LeadFilters, keyof WorkFilters | "source" | "sort">;

interface FilterMenuProps {
  filters: MenuFilters;
  /** Called with the changed filters. */
  onChange: (changed: MenuFilters) => void;
  /** The list has data on unread SMS. */
  hasUnread?: boolean;
}

/** Filters by the work on a lead, and the order. */
export function FilterMenu({ filters, onChange, hasUnread = false }: FilterMenuProps) {
  const t = useMessages(filterMessages);
  const language = useMessages(leadLanguageMessages);
  const chosen = countWorkFilters(filters);
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="secondary" className="max-sm:px-2">
          <ListFilter aria-hidden className="max-sm:hidden" />
          {t("filters")}
          {chosen > 0 ? <CountBadge count={chosen} label={t("chosen", { count: chosen })} /> : null}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label={t("filters")} className="grid w-104 gap-3 sm:grid-cols-2">
        <Choice
          name="attempts"
          label={t("attempts")}
          options={attemptFilters.map((value) => ({ value, label: t(attemptLabels[value]) }))}
          filters={filters}
          onChange={onChange}
        />
        <Choice
          name="lastContact"
          label={t("lastContact")}
          options={lastContactFilters.map((value) => ({ value, label: t(`lastContact_${value}`) }))}
          filters={filters}
          onChange={onChange}
        />
        <Choice
          name="followUp"
          label={t("followUp")}
          options={followUpFilters.map((value) => ({ value, label: t(`followUp_${value}`) }))}
          filters={filters}
          onChange={onChange}
        />
        <Choice
          name="localTime"
          label={t("localTime")}
          options={localTimeFilters.map((value) => ({ value, label: t(`localTime_${value}`) }))}
          filters={filters}
          onChange={onChange}
        />
        <Choice
          name="language"
          label={language("language")}
          options={languageFilters.map((value) => ({ value, label: language(value) }))}
          filters={filters}
          onChange={onChange}
        />
        {hasUnread ? (
          <Choice
            name="unread"
            label={t("unread")}
            options={[{ value: "yes", label: t("unread_yes") }]}
            filters={filters}
            onChange={onChange}
          />
        ) : null}
        <SourceChoice filters={filters} onChange={onChange} />
        <Field label={t("sort")}>
          {(control) => (
            <Select
              {...control}
              value={filters.sort ?? "newest"}
              onValueChange={(sort) => onChange({ sort: sort === "newest" ? undefined : sort })}
              options={offeredSorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
            />
          )}
        </Field>
      </PopoverContent>
    </Popover>
  );
}

interface ChoiceProps extends FilterMenuProps {
  name: keyof WorkFilters;
  label: string;
  options: readonly SelectOption<string>[];
}

function Choice({ name, label, options, filters, onChange }: ChoiceProps) {
  const t = useMessages(filterMessages);
  return (
    <Field label={label}>
      {(control) => (
        <Select
          {...control}
          value={filters[name] ?? "all"}
          onValueChange={(value) => onChange({ [name]: value === "all" ? undefined : value })}
          options={[{ value: "all", label: t("any") }, ...options]}
        />
      )}
    </Field>
  );
}

/** The most frequent sources, and the selected one. */
function SourceChoice({ filters, onChange }: FilterMenuProps) {
  const t = useMessages(filterMessages);
  const { data } = useQuery(routeQuery(getLeadsReport, { query: { range: "all" } }));
  const known = data?.sources.flatMap(({ source }) => source ?? []) ?? [];
  const { source } = filters;
  const sources = source && !known.includes(source) ? [...known, source] : known;
  return (
    <Field label={t("source")}>
      {(control) => (
        <Select
          {...control}
          // The value is the index, as a source may have any name.
          value={source ? String(sources.indexOf(source)) : "any"}
          onValueChange={(value) =>
            onChange({ source: value === "any" ? undefined : sources[Number(value)] })
          }
          options={[
            { value: "any", label: t("any") },
            ...sources.map((label, index) => ({ value: String(index), label })),
          ]}
        />
      )}
    </Field>
  );
}
