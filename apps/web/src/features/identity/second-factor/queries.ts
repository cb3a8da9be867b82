import type { CurrentUser } from "@portal/contract/entities/user";
import { listSessions } from "@portal/contract/routes/account";
import {
  beginTotp,
  type Confirmation,
  confirmTotp,
  endTotp,
  getSecondFactor,
  makeRecoveryCodes,
  verifySecondFactor,
} from "@portal/contract/routes/second-factor";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { secondFactorMessages } from "./messages.ts";

export const secondFactorQuery = () => routeQuery(getSecondFactor);

/** The text of an error that a field's value caused; undefined for other errors. */
export function fieldError(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === "current_password_wrong") return messagesOf(secondFactorMessages)("passwordWrong");
  return error.code === "code_wrong" || error.code === "too_many_attempts" ? errorText(error) : undefined;
}

/** Shows an error as a toast, unless a field shows it. */
function showError(error: Error): void {
  if (fieldError(error) !== undefined) return;
  const t = messagesOf(secondFactorMessages);
  toast({ title: t("failedTitle"), description: errorText(error), error, tone: "destructive" });
}

/** Completes the sign-in by a code. */
export function useVerifyCode(onSignedIn: (user: CurrentUser) => void) {
  return useMutation({
    mutationFn: (code: string) => callRoute(verifySecondFactor, { body: { code } }),
    onSuccess: ({ user }) => onSignedIn(user),
    onError: showError,
  });
}

/** Makes the key of an authenticator app. */
export function useBeginTotp() {
  return useMutation({
    mutationFn: (confirmation: Confirmation) => callRoute(beginTotp, { body: confirmation }),
    onError: showError,
  });
}

/** Sets the authenticator app up; brings the recovery codes. */
export function useConfirmTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => callRoute(confirmTotp, { body: { code } }),
    onError: showError,
    onSuccess: () => invalidatePaths(client, [getSecondFactor.path, listSessions.path]),
  });
}

/** Removes the authenticator app. */
export function useEndTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (confirmation: Confirmation) => callRoute(endTotp, { body: confirmation }),
    onError: showError,
    onSuccess: async () => {
      const t = messagesOf(secondFactorMessages);
      toast({ title: t("savedTitle"), description: t("removedText"), tone: "success" });
      await invalidatePaths(client, [getSecondFactor.path, listSessions.path]);
    },
  });
}

/** Makes new recovery codes. */
export function useMakeRecoveryCodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (confirmation: Confirmation) => callRoute(makeRecoveryCodes, { body: confirmation }),
    onError: showError,
    onSuccess: () => invalidatePaths(client, [getSecondFactor.path]),
  });
}
