import type { DialerPreview } from "@portal/contract/entities/dialer";
import { currentLanguage, type Translate } from "../../lib/i18n.ts";
import type { previewMessages, skipCountMessages } from "./setup-messages.ts";

type Group = DialerPreview["groups"][number];
type Say = Translate<(typeof previewMessages)["pairs"]>;
type SayCount = Translate<(typeof skipCountMessages)["pairs"]>;

const locales = { en: "en-US", es: "es-US" } as const;

/**
 * '6 later (from 4:00 PM Pacific Time)' or '3 opted out': a group of the preview, with the time from which its first lead may be called.
 */
export function groupLabel(
  group: Pick<Group, "reason" | "count" | "allowedAt" | "timeZone">,
  t: Say,
  counted: SayCount,
  now: number = Date.now(),
): string {
  const label = counted(group.reason, { count: group.count });
  if (group.allowedAt === null) return label;
  return `${label} (${allowedFrom(group.allowedAt, group.timeZone, t, now)})`;
}

/** 'from 4:00 PM Pacific Time' in that zone; with the day if it is not today there. */
function allowedFrom(allowedAt: string, timeZone: string | null, t: Say, now: number): string {
  const locale = locales[currentLanguage()];
  const zone = timeZone ? { timeZone } : {};
  const at = new Date(allowedAt);
  const clock = new Intl.DateTimeFormat(locale, { ...zone, hour: "numeric", minute: "2-digit" }).format(at);
  const time = timeZone ? t("zoned", { time: clock, zone: zoneName(at, timeZone, locale) }) : clock;
  const dayOf = (instant: Date) => new Intl.DateTimeFormat("en-CA", zone).format(instant);
  if (dayOf(at) === dayOf(new Date(now))) return t("from", { time });
  const day = new Intl.DateTimeFormat(locale, { ...zone, weekday: "short", month: "short", day: "numeric" });
  return t("fromDay", { day: day.format(at), time });
}

function zoneName(at: Date, timeZone: string, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "longGeneric" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}
