import { adminSessionCheck } from "@portal/contract/routes/auth";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError } from "../../lib/api.ts";
import { textOf } from "../../lib/i18n.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { signOutTo } from "../../lib/session.ts";
import { toast } from "../../ui/toast.ts";
import { adminTexts } from "./texts.ts";

/** The administrator's session, asked for on load and on window focus, without retry (specification §6). */
export function useAdminSession() {
  const session = useQuery({ ...routeQuery(adminSessionCheck), staleTime: 0 });
  const { refetch } = session;
  useEffect(() => {
    const check = () => void refetch();
    window.addEventListener("focus", check);
    return () => window.removeEventListener("focus", check);
  }, [refetch]);
  // A server that is away for a moment takes nobody's session.
  const isGone = session.error instanceof ApiError && [401, 403].includes(session.error.status);
  return { session, isGone: isGone || (session.isError && session.data === undefined) };
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
