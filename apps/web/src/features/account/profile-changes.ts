import type { CurrentUser } from "@portal/contract/entities/user";

export interface ProfileValues {
  name: string;
  email: string;
  personalPhoneNumber: string;
}

/** The fields as the modal shows them. */
export function profileOf(user: CurrentUser): ProfileValues {
  return { name: user.name, email: user.email, personalPhoneNumber: user.personalPhoneNumber ?? "" };
}

/**
 * What to send: only changed fields; name and e-mail only if they are not blank, the phone also when it was emptied
 * (specification §5). Null when nothing is left to send.
 */
export function profileChanges(user: CurrentUser, values: ProfileValues): Partial<ProfileValues> | null {
  const before = profileOf(user);
  const changes: Partial<ProfileValues> = {};
  for (const field of ["name", "email", "personalPhoneNumber"] as const) {
    const value = values[field].trim();
    if (value === before[field].trim()) continue;
    if (value !== "" || field === "personalPhoneNumber") changes[field] = value;
  }
  return Object.keys(changes).length === 0 ? null : changes;
}
