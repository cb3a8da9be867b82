/** Addresses whose areas come with later issues: heading and an empty state for now. */
export const UPCOMING_AREAS = ["/contacts"] as const;
export type UpcomingArea = (typeof UPCOMING_AREAS)[number];
