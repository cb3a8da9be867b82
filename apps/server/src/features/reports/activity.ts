import type { ActivityPoint, activitySteps } from "@portal/contract/entities/report";

type Step = (typeof activitySteps)[number];
type Counts = Omit<ActivityPoint, "day">;

const dayMs = 86_400_000;
const toDay = (at: Date) => at.toISOString().slice(0, 10);
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** The first day of the step that a day lies in: itself, its Monday, or the first of its month. */
function stepStart(day: string, step: Step): string {
  if (step === "day") return day;
  if (step === "month") return `${day.slice(0, 8)}01`;
  const date = dateOf(day);
  return toDay(new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * dayMs));
}

function nextStart(day: string, step: Step): string {
  const date = dateOf(day);
  if (step === "month") date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCDate(date.getUTCDate() + (step === "week" ? 7 : 1));
  return toDay(date);
}

/** Counts by day as an activity chart: every step from the first day to the last, also where nothing happened. Days are YYYY-MM-DD. */
export function chartActivity(input: {
  first: string;
  last: string;
  days: Iterable<{ day: string } & Partial<Counts>>;
}): { step: Step; points: ActivityPoint[] } {
  const { first, last, days } = input;
  const length = (dateOf(last).getTime() - dateOf(first).getTime()) / dayMs + 1;
  const step: Step = length <= 31 ? "day" : length <= 184 ? "week" : "month";
  const points = new Map<string, ActivityPoint>();
  for (let day = stepStart(first, step); day <= last; day = nextStart(day, step))
    points.set(day, { day, calls: 0, answered: 0, texts: 0, conversions: 0 });
  for (const { day, calls = 0, answered = 0, texts = 0, conversions = 0 } of days) {
    const point = points.get(stepStart(day, step));
    if (!point) continue;
    point.calls += calls;
    point.answered += answered;
    point.texts += texts;
    point.conversions += conversions;
  }
  return { step, points: [...points.values()] };
}
