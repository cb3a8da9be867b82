import type { TeamMember } from "@portal/contract/routes/team";

export const accountStates = ["all", "open", "closed"] as const;
export type AccountState = (typeof accountStates)[number];

/** Lower case, accents removed. */
const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The accounts that contain every word of the search in name, email or phone; active ones first. */
export function filterTeam(
  team: readonly TeamMember[],
  { search, state }: { search: string; state: AccountState },
): TeamMember[] {
  const words = fold(search).split(/\s+/).filter(Boolean);
  const found = team.filter(({ name, email, personalPhoneNumber, disabledAt }) => {
    if (state !== "all" && (state === "closed") !== (disabledAt !== null)) return false;
    const text = fold(
      `${name} ${email} ${personalPhoneNumber ?? ""} ${(personalPhoneNumber ?? "").replace(/\D/g, "")}`,
    );
    return words.every((word) => text.includes(word));
  });
  return [...found.filter((each) => !each.disabledAt), ...found.filter((each) => each.disabledAt)];
}
