import type { LeadStatus } from "@portal/contract/entities/lead";
import type { CallsReport, LeadsReport } from "@portal/contract/entities/report";

const recordedOutcomes = ["answered", "voicemail", "busy", "no_answer"] as const;
const recordedStatuses: readonly LeadStatus[] = ["new", "contacted", "interested", "not_interested"];
/** The way of a lead, and those who left it. */
const funnel: readonly LeadStatus[] = [
  "new",
  "contacted",
  "qualified",
  "interested",
  "converted",
  "not_interested",
];

/** The recorded outcomes, then those that occur besides: together they are all calls. */
export function shownOutcomes(outcomes: CallsReport["outcomes"]): CallsReport["outcomes"] {
  const recorded = recordedOutcomes.map((outcome) => ({
    outcome,
    calls: outcomes.find((counted) => counted.outcome === outcome)?.calls ?? 0,
  }));
  const others = outcomes.filter(
    ({ outcome, calls }) => calls > 0 && !recordedOutcomes.some((known) => known === outcome),
  );
  return [...recorded, ...others];
}

const countOf = (statuses: LeadsReport["statuses"], status: LeadStatus) => ({
  status,
  leads: statuses.find((counted) => counted.status === status)?.leads ?? 0,
});

/** The recorded states, then those that hold leads besides, so that the percents are of all leads. */
export function shownStatuses(statuses: LeadsReport["statuses"]): LeadsReport["statuses"] {
  const others = (["qualified", "converted"] as const).map((status) => countOf(statuses, status));
  return [
    ...recordedStatuses.map((status) => countOf(statuses, status)),
    ...others.filter(({ leads }) => leads > 0),
  ];
}

/** Every state along the way of a lead. */
export function funnelStatuses(statuses: LeadsReport["statuses"]): LeadsReport["statuses"] {
  return funnel.map((status) => countOf(statuses, status));
}

/** Calls by the hour of the day, from the first to the last hour that has any. */
export function callsByHour(hours: CallsReport["hours"]) {
  const spoken = hours.filter(({ calls }) => calls > 0).map(({ hour }) => hour);
  if (spoken.length === 0) return [];
  const first = Math.min(...spoken);
  return Array.from({ length: Math.max(...spoken) - first + 1 }, (_, index) => {
    const hour = first + index;
    const ofHour = hours.filter((counted) => counted.hour === hour);
    return {
      hour,
      calls: ofHour.reduce((sum, { calls }) => sum + calls, 0),
      answered: ofHour.reduce((sum, { answered }) => sum + answered, 0),
    };
  });
}
