import type { TeamMember } from "@portal/contract/routes/team";
import type { ReachabilityRow } from "../availability/repository.ts";
import { presentAvailability } from "../availability/service.ts";
import type { MemberRow } from "./repository.ts";

/** An account as administrators see it. */
export function presentMember(row: MemberRow, reachability: ReachabilityRow): TeamMember {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    language: row.language,
    personalPhoneNumber: row.personalPhone,
    profileImage: row.image,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
    hasPassword: row.hasPassword,
    linked: row.linked,
    sessions: row.sessions,
    assigned: row.assigned,
    leads: row.leads,
    availability: presentAvailability(reachability),
  };
}
