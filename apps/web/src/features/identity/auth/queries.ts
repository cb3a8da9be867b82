import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { limits } from "@portal/contract/limits";
import {
  adminLogin,
  checkPasswordLink,
  getSignInOptions,
  login,
  type SignInOptions,
  usePasswordLink,
} from "@portal/contract/routes/auth";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { ApiError, callRoute } from "../../../lib/api.ts";
import { errorMessages } from "../../../lib/error-messages.ts";
import { errorText } from "../../../lib/errors.ts";
import { messagesOf, setLanguage } from "../../../lib/i18n.ts";
import { page } from "../../../lib/navigation.ts";
import { routeQuery } from "../../../lib/query-client.ts";
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
  // Vite's own server sends the page with its placeholder.
  return text?.startsWith("{") ? (JSON.parse(text) as SignInOptions) : undefined;
}

/** What the login screen offers: as the page says, so that nothing appears late; asked for where it does not. */
export function signInOptionsQuery() {
  const ofPage = optionsOfPage();
  return { ...routeQuery(getSignInOptions), ...(ofPage && { initialData: ofPage }) };
}

/** Whose one-time link it is. The token is in the body, and so in no log. */
export function passwordLinkQuery(token: string) {
  return queryOptions({
    queryKey: [checkPasswordLink.path, { token }] as const,
    queryFn: () => callRoute(checkPasswordLink, { body: { token } }),
  });
}

/** Chooses a password by a one-time link, which is used up by it. */
export function useChoosePassword() {
  return useMutation({
    mutationFn: (body: { token: string; newPassword: string }) => callRoute(usePasswordLink, { body }),
    onError: (error) => {
      const t = messagesOf(authMessages);
      toast({ title: t("errorTitle"), description: errorText(error), error, tone: "destructive" });
    },
  });
}

/** A refusal without a message of the server's own. */
function hasNoWords(error: Error): boolean {
  return error instanceof ApiError && error.status === 401 && typeof error.body?.message !== "string";
}

/** Signs in; a second later the page reloads under the same address, or an administrator lands on /admin. */
export function useSignIn() {
  return useMutation({
    mutationFn: ({ email, password }: Credentials) =>
      callRoute(isAdminEmail(email) ? adminLogin : login, { body: { email: email.trim(), password } }),
    onSuccess: ({ user }) => {
      const isPicked = readStored(STORAGE_KEYS.languagePicked) !== null;
      rememberSignIn(user);
      setTheme(user.theme);
      // What was picked on this page outweighs the account's own.
      if (!isPicked) setLanguage(user.language);
      setTimeout(() => {
        if (user.role === "admin") page.go("/admin");
        else page.reload();
      }, limits.loginReloadMs);
    },
    onError: (error, { email }) => {
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
 * Whether an e-mail is the administrator's, whose SHA-256 the server puts into the page. It only chooses which
 * sign-in is called; the role comes from the server. Not `crypto.subtle`: plain http in a LAN has none.
 */
export function isAdminEmail(email: string): boolean {
  const hash = document.querySelector<HTMLMetaElement>('meta[name="admin-email-sha256"]')?.content;
  return hash === bytesToHex(sha256(utf8ToBytes(email.trim().toLowerCase())));
}
