import { DateTime } from "luxon";

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;
const noonMinutes = 12 * 60;

interface Day {
  start: number;
  noon: number;
  weekday: number;
}

/**
 * The days of an organization around an instant: day 0 contains it, -1 is the day before. Instants are ms since 1970. Minutes are counted
 * from noon, so that they are right on days of a clock change, except for the hours before the change.
 */
export class OrgClock {
  readonly now: number;
  readonly zone: string;
  readonly #today: DateTime;
  readonly #days = new Map<number, Day>();
  readonly #shifts = new Map<string, number>();

  constructor(now: Date, zone: string) {
    this.now = now.getTime();
    this.zone = zone;
    this.#today = DateTime.fromMillis(this.now, { zone }).startOf("day");
  }

  /** The instant at which the clocks of that day show so many minutes after midnight. */
  at(day: number, minutes: number): number {
    return this.#day(day).noon + (minutes - noonMinutes) * minuteMs;
  }

  /** Monday is 1, Sunday 7. */
  weekday(day: number): number {
    return this.#day(day).weekday;
  }

  /** The day of an instant. */
  dayOf(instant: number): number {
    const day = Math.floor((instant - this.#day(0).start) / dayMs);
    if (instant >= this.#day(day + 1).start) return day + 1;
    return instant < this.#day(day).start ? day - 1 : day;
  }

  /** Minutes after midnight of an instant. */
  minutesOf(instant: number): number {
    return (instant - this.#day(this.dayOf(instant)).noon) / minuteMs + noonMinutes;
  }

  /** The first working day from `day` on. */
  workdayFrom(day: number): number {
    let found = day;
    while (this.weekday(found) > 5) found += 1;
    return found;
  }

  /** Minutes after midnight on a clock in `zone` when the organization's clock shows `minutes` on that day. */
  minutesIn(zone: string, day: number, minutes: number): number {
    const key = `${zone} ${day}`;
    let shift = this.#shifts.get(key);
    if (shift === undefined) {
      const noon = DateTime.fromMillis(this.#day(day).noon, { zone: this.zone });
      shift = noon.setZone(zone).offset - noon.offset;
      this.#shifts.set(key, shift);
    }
    return minutes + shift;
  }

  #day(day: number): Day {
    let known = this.#days.get(day);
    if (!known) {
      const start = this.#today.plus({ days: day });
      known = { start: start.toMillis(), noon: start.set({ hour: 12 }).toMillis(), weekday: start.weekday };
      this.#days.set(day, known);
    }
    return known;
  }
}
