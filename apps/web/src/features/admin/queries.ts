import type { ContactRefusal } from "@portal/contract/errors";
import { limits } from "@portal/contract/limits";
import {
  exportAudit,
  getIntegrationHealth,
  getLiveStates,
  getSystemStats,
  getUserStats,
  listAudit,
  listRefusals,
} from "@portal/contract/routes/admin";
import { adminSessionCheck } from "@portal/contract/routes/auth";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ApiError, routeUrl } from "../../lib/api.ts";
import { useLiveEvents } from "../../lib/events.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routePages, routeQuery } from "../../lib/query-client.ts";
import { signOutTo } from "../../lib/session.ts";
import { toast } from "../../ui/toast.ts";
import { adminMessages } from "./messages.ts";

/** The administrator's session, fetched on load and on window focus, without retry. */
export function useAdminSession() {
  const session = useQuery({ ...routeQuery(adminSessionCheck), staleTime: 0 });
  const { refetch } = session;
  useEffect(() => {
    const check = () => void refetch();
    window.addEventListener("focus", check);
    return () => window.removeEventListener("focus", check);
  }, [refetch]);
  // A temporary server failure does not count as signed out.
  const isGone = session.error instanceof ApiError && [401, 403].includes(session.error.status);
  return { session, isGone: isGone || (session.isError && session.data === undefined) };
}

/** 'Salir': ends the session, shows a toast and the login screen at /admin/login. */
export function useAdminLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => signOutTo("/admin/login", client),
    onSuccess: () => {
      const t = messagesOf(adminMessages);
      toast({ title: t("loggedOutTitle"), description: t("loggedOutText"), tone: "success" });
    },
    onError: (error) => {
      const t = messagesOf(adminMessages);
      toast({ title: t("errorTitle"), description: t("logoutFailed"), error, tone: "destructive" });
    },
  });
}

/** Polling options; also refetches on window focus. */
const polled = (refetchInterval: number) =>
  ({ refetchInterval, staleTime: 0, refetchOnWindowFocus: true }) as const;

/** Cards, every 30 s. */
export const systemStatsQuery = () => ({
  ...routeQuery(getSystemStats),
  ...polled(limits.adminSystemPollMs),
});

/** Figures by user, every 15 s. */
export const userStatsQuery = () => ({ ...routeQuery(getUserStats), ...polled(limits.adminUsersPollMs) });

/** All users by name, for filters; cached because they seldom change. */
export const peopleQuery = () => ({ ...routeQuery(getUserStats), staleTime: limits.adminUsersPollMs });

export const healthQuery = () => ({
  ...routeQuery(getIntegrationHealth),
  ...polled(limits.adminSystemPollMs),
});

/** Events within this time cause one fetch. */
const liveRestMs = 500;

/** What all users are doing: fetched at events of calls and dialer sessions, and with the figures in case an event was missed. */
export function useLiveStates() {
  const client = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const readSoon = () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      void invalidatePaths(client, [getLiveStates.path]);
    }, liveRestMs);
  };
  useLiveEvents("call", readSoon);
  useLiveEvents("inbound-call", readSoon);
  useLiveEvents("call-log", readSoon);
  useLiveEvents("dialer", readSoon);
  return useQuery({ ...routeQuery(getLiveStates), ...polled(limits.adminUsersPollMs) });
}

interface AuditFilters {
  user?: string | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Pages of the audit log; fetched again only on request. */
export const auditPages = ({ user, ...query }: AuditFilters) => ({
  ...routePages(listAudit, { query: { ...query, user: user ? Number(user) : undefined } }),
  placeholderData: keepPreviousData,
});

/** The address for downloading the same entries. */
export const auditFile = ({ user, ...query }: AuditFilters) =>
  routeUrl(exportAudit, { query: { ...query, user: user ? Number(user) : undefined } });

export const refusalPages = ({
  user,
  reason,
}: {
  user?: string | undefined;
  reason?: ContactRefusal | undefined;
}) => ({
  ...routePages(listRefusals, { query: { reason, user: user ? Number(user) : undefined } }),
  placeholderData: keepPreviousData,
});
