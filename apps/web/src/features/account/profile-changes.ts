import type { CurrentUser } from "@portal/contract/entities/user";

export interface ProfileValues {
  name: string;
  email: string;
  personalPhoneNumber: string;
  /** Address of the picture, or a data URL of one just chosen; null for none. */
  profileImage: string | null;
}

/** The fields as the modal shows them. */
export function profileOf(user: CurrentUser): ProfileValues {
  const { name, email, personalPhoneNumber, profileImage } = user;
  return { name, email, personalPhoneNumber: personalPhoneNumber ?? "", profileImage };
}

/**
 * What to send: only changed fields; name and e-mail only if they are not blank, the phone also when it was emptied, the picture also
 * when it was taken away (specification §5). Null when nothing is left to send.
 */
export function profileChanges(
  user: CurrentUser,
  values: Partial<ProfileValues>,
): Partial<ProfileValues> | null {
  const before = profileOf(user);
  const changes: Partial<ProfileValues> = {};
  for (const field of ["name", "email", "personalPhoneNumber"] as const) {
    const value = (values[field] ?? before[field]).trim();
    if (value === before[field].trim()) continue;
    if (value !== "" || field === "personalPhoneNumber") changes[field] = value;
  }
  if (values.profileImage !== undefined && values.profileImage !== before.profileImage)
    changes.profileImage = values.profileImage;
  return Object.keys(changes).length === 0 ? null : changes;
}
