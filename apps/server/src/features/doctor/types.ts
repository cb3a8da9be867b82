export const doctorStatuses = ["ok", "info", "warn", "fail"] as const;
/** `info` tells, `warn` is to be looked at, `fail` is wrong. */
export type DoctorStatus = (typeof doctorStatuses)[number];

/** One thing that was looked at, in words for whoever helps. */
export interface DoctorCheck {
  name: string;
  status: DoctorStatus;
  text: string;
}

/** What belongs together, under one heading. */
export interface DoctorSection {
  title: string;
  checks: DoctorCheck[];
}

export interface DoctorReport {
  at: string;
  /** The worst of all checks. */
  status: DoctorStatus;
  sections: DoctorSection[];
}
