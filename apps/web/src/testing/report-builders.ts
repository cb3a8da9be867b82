import type {
  CallsReport,
  LeadsReport,
  OverviewReport,
  PerformanceReport,
  ReportPeriod,
} from "@portal/contract/entities/report";
import type { CallAnalytics } from "@portal/contract/routes/analytics";

const period: ReportPeriod = {
  range: "week",
  from: "2026-11-14T05:00:00.000Z",
  to: "2026-11-20T16:00:00.000Z",
  previousFrom: "2026-11-07T05:00:00.000Z",
  previousTo: "2026-11-13T16:00:00.000Z",
  timeZone: "America/New_York",
};

/** A week with 50 calls, 20 of them answered; with overrides. */
export function buildOverview(overrides: Partial<OverviewReport> = {}): OverviewReport {
  return {
    period,
    totalCalls: { value: 50, previous: 40 },
    answeredCalls: { value: 20, previous: 25 },
    conversionRate: { value: 12.5, previous: 12.5 },
    talkSeconds: { value: 5_430, previous: 0 },
    conversions: 1,
    leadsCreated: 8,
    statuses: [
      { status: "new", leads: 3 },
      { status: "contacted", leads: 2 },
      { status: "qualified", leads: 0 },
      { status: "interested", leads: 1 },
      { status: "not_interested", leads: 1 },
      { status: "converted", leads: 1 },
    ],
    outcomes: [
      { outcome: "answered", calls: 20 },
      { outcome: "no_answer", calls: 24 },
      { outcome: "wrong_number", calls: 4 },
      { outcome: null, calls: 2 },
    ],
    activity: {
      step: "day",
      points: [
        { day: "2026-11-19", calls: 30, answered: 12, texts: 5, conversions: 1 },
        { day: "2026-11-20", calls: 20, answered: 8, texts: 0, conversions: 0 },
      ],
    },
    ...overrides,
  };
}

/** A report without any data. */
export function buildEmptyOverview(): OverviewReport {
  const none = { value: 0, previous: 0 };
  const { statuses, activity } = buildOverview();
  return buildOverview({
    totalCalls: none,
    answeredCalls: none,
    conversionRate: { value: null, previous: null },
    talkSeconds: none,
    conversions: 0,
    leadsCreated: 0,
    statuses: statuses.map(({ status }) => ({ status, leads: 0 })),
    outcomes: [],
    activity: {
      step: "day",
      points: activity.points.map(({ day }) => ({ day, calls: 0, answered: 0, texts: 0, conversions: 0 })),
    },
  });
}

export function buildCallsReport(overrides: Partial<CallsReport> = {}): CallsReport {
  const { totalCalls, talkSeconds, outcomes } = buildOverview();
  return {
    period,
    totalCalls,
    answerRate: { value: 40, previous: 62.5 },
    talkSeconds,
    averageTalkSeconds: { value: 271.5, previous: null },
    outbound: 45,
    inbound: 5,
    outcomes,
    hours: [
      { weekday: 1, hour: 9, calls: 30, answered: 15 },
      { weekday: 7, hour: 11, calls: 20, answered: 5 },
    ],
    ...overrides,
  };
}

export function buildLeadsReport(overrides: Partial<LeadsReport> = {}): LeadsReport {
  const { statuses, conversionRate } = buildOverview();
  return {
    period,
    leadsCreated: { value: 8, previous: 4 },
    conversions: { value: 1, previous: 0 },
    conversionRate,
    statuses,
    sources: [
      { source: "Facebook", leads: 4, converted: 1 },
      { source: "-", leads: 1, converted: 1 },
      { source: "=cmd()\n+1", leads: 1, converted: 0 },
      { source: null, leads: 1, converted: 0 },
    ],
    otherSources: 1,
    firstCall: {
      medianSeconds: 5_400,
      called: 6,
      neverCalled: 2,
      within: [
        { minutes: 5, leads: 1 },
        { minutes: 60, leads: 2 },
        { minutes: 1_440, leads: 3 },
        { minutes: null, leads: 0 },
      ],
    },
    ...overrides,
  };
}

type Consultant = PerformanceReport["consultants"][number];

export function buildConsultant(overrides: Partial<Consultant> = {}): Consultant {
  return {
    userId: 2,
    name: "Ana Rivera",
    active: true,
    leads: 40,
    calls: 30,
    answered: 15,
    talkSeconds: 3_600,
    texts: 4,
    conversions: 1,
    conversionValue: 1_250.5,
    ...overrides,
  };
}

export function buildPerformance(overrides: Partial<PerformanceReport> = {}): PerformanceReport {
  return { period, consultants: [buildConsultant()], ...overrides };
}

/** Ten leads, four of which were never called. */
export function buildCallAnalytics(overrides: Partial<CallAnalytics> = {}): CallAnalytics {
  return {
    totalLeads: 10,
    neverCalled: 4,
    called1Time: 3,
    called2Times: 1,
    called3Times: 2,
    totalCalls: 12,
    detailedStats: {
      neverCalledLeads: [{ leadId: 7, leadName: "Inés Duarte", leadStatus: "new" }],
      callCountsByLead: [
        {
          leadId: 8,
          leadName: "Óscar Peña",
          leadStatus: "interested",
          callCount: 4,
          lastCallDate: "2026-11-20T09:00:00.000Z",
        },
        { leadId: 9, leadName: "Marta Solís", leadStatus: "contacted", callCount: 2, lastCallDate: null },
        { leadId: 10, leadName: "", leadStatus: "new", callCount: 1, lastCallDate: null },
      ],
    },
    ...overrides,
  };
}
