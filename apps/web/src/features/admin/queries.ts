import { adminSessionCheck } from "@portal/contract/routes/auth";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { textOf } from "../../lib/i18n.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { signOutTo } from "../../lib/session.ts";
import { toast } from "../../ui/toast.ts";
import { adminTexts } from "./texts.ts";

/** The administrator's session, asked for on load and on window focus, without retry (specification §6). */
export function adminSessionQuery() {
  return { ...routeQuery(adminSessionCheck), staleTime: 0, refetchOnWindowFocus: "always" as const };
}

/** 'Salir': ends the session, says so and shows the login screen at /admin/login. */
export function useAdminLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => signOutTo("/admin/login", client),
    onSuccess: () => {
      const t = textOf(adminTexts);
      toast({ title: t("loggedOutTitle"), description: t("loggedOutText"), tone: "success" });
    },
    onError: () => {
      const t = textOf(adminTexts);
      toast({ title: t("errorTitle"), description: t("logoutFailed"), tone: "destructive" });
    },
  });
}
