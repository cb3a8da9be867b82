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
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { setLanguage, textOf } from "../../lib/i18n.ts";
import { page } from "../../lib/navigation.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { rememberSignIn } from "../../lib/session.ts";
import { setTheme } from "../../lib/theme.ts";
import { toast } from "../../ui/toast.ts";
import { isAdminEmail } from "./admin-email.ts";
import { authTexts } from "./texts.ts";

interface Credentials {
  email: string;
  password: string;
  /** True when the visitor has just picked a language here: it then outweighs the account's. */
  keepLanguage: boolean;
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
      const t = textOf(authTexts);
      toast({ title: t("errorTitle"), description: errorText(error), tone: "destructive" });
    },
  });
}

/** Signs in; a second later the page reloads under the same address, or an administrator lands on /admin. */
export function useSignIn() {
  return useMutation({
    mutationFn: ({ email, password }: Credentials) =>
      callRoute(isAdminEmail(email) ? adminLogin : login, { body: { email: email.trim(), password } }),
    onSuccess: ({ user }, { keepLanguage }) => {
      rememberSignIn(user.email);
      setTheme(user.theme);
      if (!keepLanguage) setLanguage(user.language);
      setTimeout(() => {
        if (user.role === "admin") page.go("/admin");
        else page.reload();
      }, limits.loginReloadMs);
    },
    onError: (error) => {
      const t = textOf(authTexts);
      toast({
        title: t("loginFailed"),
        description: errorText(error, t("invalidCredentials")),
        tone: "destructive",
      });
    },
  });
}
