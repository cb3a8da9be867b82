import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { CurrentUser } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import {
  adminLogin,
  checkPasswordLink,
  getCurrentUser,
  getSignInOptions,
  login,
  type SignInOptions,
  usePasswordLink,
} from "@portal/contract/routes/auth";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callRoute } from "../../../lib/api.ts";
import { errorMessages, errorText } from "../../../lib/errors.ts";
import { messagesOf, setLanguage } from "../../../lib/i18n.ts";
import { page } from "../../../lib/navigation.ts";
import { invalidatePaths, pendingStepOf, routeQuery } from "../../../lib/query-client.ts";
import { rememberSignIn } from "../../../lib/session.ts";
import { readStored, STORAGE_KEYS } from "../../../lib/storage-keys.ts";
import { setTheme } from "../../../lib/theme.ts";
import { toast } from "../../../ui/toast.ts";
import { authMessages } from "./messages.ts";

interface Credentials {
  email: string;
  password: string;
}

function optionsOfPage(): SignInOptions | undefined {
  const text = document.querySelector<HTMLMetaElement>('meta[name="sign-in-options"]')?.content;
  // Vite's development server sends the page with its placeholder.
  return text?.startsWith("{") ? (JSON.parse(text) as SignInOptions) : undefined;
}

/** The sign-in options, from the page's meta tag so that nothing appears late; fetched if it is missing. */
export function signInOptionsQuery() {
  const ofPage = optionsOfPage();
  return { ...routeQuery(getSignInOptions), ...(ofPage && { initialData: ofPage }) };
}

/** The user of a one-time link. The token is sent in the body, which is not logged. */
export function passwordLinkQuery(token: string) {
  return queryOptions({
    queryKey: [checkPasswordLink.path, { token }] as const,
    queryFn: () => callRoute(checkPasswordLink, { body: { token } }),
  });
}

/** Chooses a password by a one-time link, which is used up. */
export function useChoosePassword() {
  return useMutation({
    mutationFn: (body: { token: string; newPassword: string }) => callRoute(usePasswordLink, { body }),
    onError: (error) => {
      const t = messagesOf(authMessages);
      toast({ title: t("errorTitle"), description: errorText(error), error, tone: "destructive" });
    },
  });
}

/** A refusal without a message from the server. */
function hasNoWords(error: Error): boolean {
  return error instanceof ApiError && error.status === 401 && typeof error.body?.message !== "string";
}

/**
 * Applies the signed-in user's settings to this browser. A second later the page reloads at the same address; administrators go to /admin.
 */
export function enterPortal(user: CurrentUser): void {
  const isPicked = readStored(STORAGE_KEYS.languagePicked) !== null;
  rememberSignIn(user);
  setTheme(user.theme);
  // A language picked on this page overrides the account's.
  if (!isPicked) setLanguage(user.language);
  setTimeout(() => {
    if (user.role === "admin") page.go("/admin");
    else page.reload();
  }, limits.loginReloadMs);
}

/** Signs in; with a second factor, the page that asks for its code follows. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ email, password }: Credentials) =>
      callRoute(isAdminEmail(email) ? adminLogin : login, { body: { email: email.trim(), password } }),
    onSuccess: ({ user }) => enterPortal(user),
    onError: (error, { email }) => {
      if (pendingStepOf(error)) return invalidatePaths(client, [getCurrentUser.path]);
      const t = messagesOf(authMessages);
      const refused = isAdminEmail(email)
        ? messagesOf(errorMessages)("admin_login_failed")
        : t("invalidCredentials");
      toast({
        title: t("loginFailed"),
        description: hasNoWords(error) ? refused : errorText(error),
        error,
        tone: "destructive",
      });
    },
  });
}

/**
 * Whether an email is the administrator's, whose SHA-256 the server puts into the page. It only decides which sign-in route is called; the
 * role comes from the server. `crypto.subtle` is not available with plain http in a LAN.
 */
export function isAdminEmail(email: string): boolean {
  const hash = document.querySelector<HTMLMetaElement>('meta[name="admin-email-sha256"]')?.content;
  return hash === bytesToHex(sha256(utf8ToBytes(email.trim().toLowerCase())));
}

/** Whether this browser can use passkeys here: they belong to a host's name, on https or this machine. */
export function hasPasskeys(): boolean {
  const isNumeric = /^[\d.]+$|:/.test(window.location.hostname);
  return !isNumeric && typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";
}
