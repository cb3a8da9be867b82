import type { CurrentUser } from "@portal/contract/entities/user";
import { listSessions } from "@portal/contract/routes/account";
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  type Confirmation,
  endPasskey,
  getSecondFactor,
  type PasskeyAnswer,
  passkeyLogin,
  renamePasskey,
} from "@portal/contract/routes/second-factor";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { invalidatePaths } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { secondFactorMessages } from "./messages.ts";
import { fieldError } from "./queries.ts";

/** The device's refusal; browsers do not distinguish canceled, too late and no passkey. */
const isCanceled = (error: unknown) => error instanceof DOMException;

function showPasskeyError(error: Error): void {
  const t = messagesOf(secondFactorMessages);
  if (isCanceled(error))
    toast({ title: t("passkeyFailed"), description: t("passkeyCanceled"), tone: "destructive" });
  else toast({ title: t("passkeyFailed"), description: errorText(error), error, tone: "destructive" });
}

function answerOf(credential: Credential | null): PasskeyAnswer {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("no passkey was given");
  return credential.toJSON() as unknown as PasskeyAnswer;
}

/** Signs in by a passkey of this device, or completes a sign-in that waits for its code. */
export function useSignInByPasskey(onSignedIn: (user: CurrentUser) => void) {
  return useMutation({
    mutationFn: async () => {
      const options = await callRoute(beginPasskeyLogin);
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      );
      const credential = answerOf(await navigator.credentials.get({ publicKey }));
      return callRoute(passkeyLogin, { body: { credential } });
    },
    onSuccess: ({ user }) => onSignedIn(user),
    onError: showPasskeyError,
  });
}

const refresh = (client: QueryClient) => invalidatePaths(client, [getSecondFactor.path, listSessions.path]);

function showDone(text: "passkeyAddedText" | "passkeyRemovedText"): void {
  const t = messagesOf(secondFactorMessages);
  toast({ title: t("savedTitle"), description: t(text), tone: "success" });
}

/** The same, except for errors shown at the password or code field. */
const showUnlessAtField = (error: Error) =>
  fieldError(error) === undefined ? showPasskeyError(error) : undefined;

/** Adds a passkey of this device; brings the recovery codes if it is the first second factor. */
export function useAddPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, confirmation }: { name: string; confirmation: Confirmation }) => {
      const options = await callRoute(beginPasskey, { body: confirmation });
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      );
      const credential = answerOf(await navigator.credentials.create({ publicKey }));
      return callRoute(addPasskey, { body: { name, credential } });
    },
    onSuccess: async () => {
      showDone("passkeyAddedText");
      await refresh(client);
    },
    onError: showUnlessAtField,
  });
}

/** Names a passkey. */
export function useRenamePasskey(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => callRoute(renamePasskey, { params: { id }, body: { name } }),
    onSuccess: () => refresh(client),
    onError: showUnlessAtField,
  });
}

/** Removes a passkey. */
export function useEndPasskey(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (confirmation: Confirmation) => callRoute(endPasskey, { params: { id }, body: confirmation }),
    onSuccess: async () => {
      showDone("passkeyRemovedText");
      await refresh(client);
    },
    onError: showUnlessAtField,
  });
}
