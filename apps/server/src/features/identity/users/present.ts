import type { CurrentUser } from "@portal/contract/entities/user";
import type { UserRow } from "./repository.ts";

/** What a user sees of themself. */
export function presentUser(row: UserRow): CurrentUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    personalPhoneNumber: row.personalPhone,
    profileImage: row.image,
    theme: row.theme,
    language: row.language,
    autoDial: row.autoDial,
    pressOne: row.pressOne,
    singleKeys: row.singleKeys,
    lists: row.lists,
    sidebarPinned: row.sidebarPinned,
  };
}
