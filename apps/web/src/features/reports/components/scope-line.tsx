import type { ReportPeriod, ReportRange, ReportType } from "@portal/contract/entities/report";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../../lib/i18n.ts";
import type { Viewer } from "../../../lib/rows.ts";
import { formatDays } from "../format-figures.ts";
import { reportKey } from "../queries.ts";
import { reportTexts } from "../texts.ts";

interface ScopeLineProps {
  viewer: Viewer;
  type: ReportType;
  range: ReportRange;
}

/** Whose figures these are, and of which days. */
export function ScopeLine({ viewer, type, range }: ScopeLineProps) {
  const t = useTexts(reportTexts);
  // Read by the report itself; this only shows its period.
  const { data } = useQuery<{ period: ReportPeriod }>({ queryKey: reportKey(type, range), enabled: false });
  const who = t(viewer.role === "admin" ? "scopeEveryone" : "scopeOwn");
  const from = data?.period.from;
  const period =
    data && from
      ? t("days", {
          days: formatDays({ ...data.period, from }),
          zone: cityOf(data.period.timeZone),
        })
      : t(`range_${range}`);
  return t("scopeLine", { who, period });
}

/** 'New York' of 'America/New_York'. */
const cityOf = (timeZone: string) => (timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ");
