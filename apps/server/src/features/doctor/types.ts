export const doctorStatuses = ["ok", "info", "warn", "fail"] as const;
/** `info` is information only, `warn` needs attention, `fail` is an error. */
export type DoctorStatus = (typeof doctorStatuses)[number];

/** The result of one check, as text for support. */
export interface DoctorCheck {
  name: string;
  status: DoctorStatus;
  text: string;
}

/** Related checks under one heading. */
export interface DoctorSection {
  title: string;
  checks: DoctorCheck[];
}

export interface DoctorReport {
  at: string;
  /** The worst status of all checks. */
  status: DoctorStatus;
  sections: DoctorSection[];
}
