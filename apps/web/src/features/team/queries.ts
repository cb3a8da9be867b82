import type { AvailabilityChanges } from "@portal/contract/entities/availability";
import { limits } from "@portal/contract/limits";
import type { RouteRequest } from "@portal/contract/route";
import {
  createMember,
  deactivateMember,
  endMemberSessions,
  listTeam,
  reactivateMember,
  resetMemberSecondFactor,
  resetPassword,
  type TeamMember,
  unlinkMember,
  updateMember,
  updateMemberAvailability,
} from "@portal/contract/routes/team";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { teamDialogMessages } from "./dialog-messages.ts";

/** All accounts; live, and polled for changes without an event (sign-ins, last activity). */
export function teamQuery() {
  return { ...routeQuery(listTeam), staleTime: 0, refetchInterval: limits.adminSystemPollMs };
}

/** Refetches the accounts. */
export function refreshTeam(client: QueryClient): Promise<void> {
  return invalidatePaths(client, [listTeam.path]);
}

/** Shows why an action failed. */
function showFailure(error: unknown): void {
  const t = messagesOf(teamDialogMessages);
  toast({ title: t("errorTitle"), description: errorText(error, t("failed")), error, tone: "destructive" });
}

/** Whether another account has the email. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === "email_taken";
}

/** Shows errors, except a taken email, which the form shows at its field. */
const showUnlessTaken = (error: unknown) => (isEmailTaken(error) ? undefined : showFailure(error));

/** Creates an account; returns it with its one-time link. */
export function useCreateMember() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteRequest<typeof createMember>["body"]) => callRoute(createMember, { body }),
    onError: showUnlessTaken,
    onSettled: () => refreshTeam(client),
  });
}

/** Changes the given fields. */
export function useUpdateMember({ id }: TeamMember) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteRequest<typeof updateMember>["body"]) =>
      callRoute(updateMember, { params: { id }, body }),
    onSuccess: ({ name }) => {
      const t = messagesOf(teamDialogMessages);
      toast({ title: t("savedTitle"), description: t("savedText", { name }), tone: "success" });
    },
    onError: showUnlessTaken,
    onSettled: () => refreshTeam(client),
  });
}

/** Changes an account's working hours and stand-in. */
export function useUpdateMemberAvailability({ id }: TeamMember) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AvailabilityChanges) => callRoute(updateMemberAvailability, { params: { id }, body }),
    onSuccess: ({ name }) => {
      const t = messagesOf(teamDialogMessages);
      toast({ title: t("savedTitle"), description: t("savedText", { name }), tone: "success" });
    },
    onError: showFailure,
    onSettled: () => refreshTeam(client),
  });
}

/** Disables an account. */
export function useCloseAccount({ id }: TeamMember) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(deactivateMember, { params: { id } }),
    onSuccess: ({ name }) => {
      const t = messagesOf(teamDialogMessages);
      toast({ title: t("closedTitle"), description: t("closedText", { name }), tone: "success" });
    },
    onError: showFailure,
    onSettled: () => refreshTeam(client),
  });
}

/** Enables a disabled account. */
export function useReopenAccount({ id }: TeamMember) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(reactivateMember, { params: { id } }),
    onSuccess: ({ name }) => {
      const t = messagesOf(teamDialogMessages);
      toast({ title: t("reopenedTitle"), description: t("reopenedText", { name }), tone: "success" });
    },
    onError: showFailure,
    onSettled: () => refreshTeam(client),
  });
}

/** Creates a one-time link for choosing a password. */
export function useMakeLink({ id }: TeamMember) {
  return useMutation({
    mutationFn: () => callRoute(resetPassword, { params: { id } }),
    onError: showFailure,
  });
}

/** Unlinks an account from the login provider. */
export function useUnlinkMember({ id }: TeamMember) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(unlinkMember, { params: { id } }),
    onSuccess: ({ name }) => {
      const t = messagesOf(teamDialogMessages);
      toast({ title: t("unlinkedTitle"), description: t("unlinkedText", { name }), tone: "success" });
    },
    onError: showFailure,
    onSettled: () => refreshTeam(client),
  });
}

/** Removes the second factor of an account. */
export function useResetSecondFactor({ id }: TeamMember) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(resetMemberSecondFactor, { params: { id } }),
    onSuccess: ({ name }) => {
      const t = messagesOf(teamDialogMessages);
      toast({ title: t("factorResetTitle"), description: t("factorResetText", { name }), tone: "success" });
    },
    onError: showFailure,
    onSettled: () => refreshTeam(client),
  });
}

/** Signs a user out everywhere. */
export function useEndSessions({ id, name }: TeamMember) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(endMemberSessions, { params: { id } }),
    onSuccess: ({ ended }) => {
      const t = messagesOf(teamDialogMessages);
      toast({
        title: t("signedOutTitle"),
        description: t("signedOut", { count: ended, name }),
        tone: "success",
      });
    },
    onError: showFailure,
    onSettled: () => refreshTeam(client),
  });
}

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
