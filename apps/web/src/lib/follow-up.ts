/** Where a follow-up date stands against today, both as days of the browser's zone. */
export type FollowUpState = "overdue" | "today" | "upcoming";

export function followUpState(nextFollowUpDate: string, now: Date): FollowUpState {
  const day = startOfDay(new Date(nextFollowUpDate)).getTime();
  const today = startOfDay(now).getTime();
  if (day === today) return "today";
  return day < today ? "overdue" : "upcoming";
}

/** The instant stored for a chosen day: its noon here, so that a neighbouring zone reads the same day. */
export function followUpInstant(day: Date): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 12).toISOString();
}

export function startOfDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}

/** Whether two instants, or two absences, fall on the same day here. */
export function sameFollowUpDay(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return startOfDay(new Date(one)).getTime() === startOfDay(new Date(other)).getTime();
}
