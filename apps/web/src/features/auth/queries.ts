import { limits } from "@portal/contract/limits";
import { adminLogin, login } from "@portal/contract/routes/auth";
import { useMutation } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { setLanguage, textOf } from "../../lib/i18n.ts";
import { page } from "../../lib/navigation.ts";
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
