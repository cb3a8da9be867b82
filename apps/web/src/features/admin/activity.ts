import { limits } from "@portal/contract/limits";

export type ActivityWord = "active" | "recent" | "inactive";

/** Specification §4, Admin activity: under 5 minutes 'Activo', under 30 'Reciente', otherwise 'Inactivo'. */
export function activityOf(lastActivity: string | null, now: number): ActivityWord {
  if (lastActivity === null) return "inactive";
  const minutes = (now - Date.parse(lastActivity)) / 60_000;
  if (minutes < limits.activeMinutes) return "active";
  return minutes < limits.recentMinutes ? "recent" : "inactive";
}

export type BarTone = "green" | "yellow" | "red";

/** Specification §9, Productivity bar: 80 or more green, 60 or more yellow, else red. */
export function barToneOf(score: number): BarTone {
  if (score >= limits.productivityGreen) return "green";
  return score >= limits.productivityYellow ? "yellow" : "red";
}
