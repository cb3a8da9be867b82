import { useQuery } from "@tanstack/react-query";
import { formatDay } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { salesRepsQuery } from "../../lib/shared-queries.ts";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { type AllLeadsSearch, offeredStatuses } from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";

interface ReportChipsProps {
  filters: AllLeadsSearch;
  onChange: (filters: AllLeadsSearch) => void;
}

/** The filters that reports open, each to be taken off. */
export function ReportChips({ filters, onChange }: ReportChipsProps) {
  const t = useMessages(allLeadsMessages);
  const label = useMessages(leadLabelMessages);
  const { status, rep, source, sources, created, converted, called, calledIn, firstCall } = filters;
  const { convertedOn, convertedUntil } = filters;
  const { data: reps } = useQuery({ ...salesRepsQuery(), enabled: rep !== undefined });
  const name = reps?.find(({ id }) => id === rep)?.name;
  const isOffered = offeredStatuses.some((offered) => offered === status);
  const words: readonly (readonly [keyof AllLeadsSearch, string | false | undefined])[] = [
    ["status", status && !isOffered && t("chipStatus", { status: label(status) })],
    ["rep", rep !== undefined && (name ? t("chipRep", { name }) : t("chipRepNumber", { id: String(rep) }))],
    ["source", source && t("chipSource", { source })],
    ["sources", sources && t(sources === "none" ? "chipNoSource" : "chipOtherSources")],
    ["created", created && t(`chipCreated_${created}`)],
    ["converted", converted && t(`chipConverted_${converted}`)],
    [
      "convertedOn",
      convertedOn &&
        (convertedUntil
          ? t("chipConvertedDays", { day: formatDay(convertedOn), until: formatDay(convertedUntil) })
          : t("chipConvertedOn", { day: formatDay(convertedOn) })),
    ],
    ["firstCall", firstCall && t(`chipFirstCall_${firstCall}`)],
    [
      "called",
      called &&
        (calledIn ? t(`chipIn_${called}`, { when: t(`when_${calledIn}`) }) : t(`chipCalled_${called}`)),
    ],
  ];
  return (
    <FilterChips
      label={t("chips")}
      chips={words.flatMap(([key, text]) =>
        text
          ? [
              {
                key,
                label: text,
                onRemove: () =>
                  onChange({
                    ...filters,
                    [key]: undefined,
                    ...(key === "called" && { calledIn: undefined }),
                    ...(key === "convertedOn" && { convertedUntil: undefined }),
                  }),
              },
            ]
          : [],
      )}
    />
  );
}
