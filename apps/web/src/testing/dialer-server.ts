import type { DialerSession } from "@portal/contract/entities/dialer";
import { listCallLogs } from "@portal/contract/routes/calls";
import * as routes from "@portal/contract/routes/dialer";
import type { QueryClient } from "@tanstack/react-query";
import { invalidatePaths } from "../lib/query-client.ts";
import { buildPreview, buildSummary } from "./dialer-builders.ts";
import { replyTo, server } from "./server.ts";

/** The dialer's routes around one session; `asked` keeps what was sent, `tell` brings news as an event would. */
export function serveDialer(first: DialerSession | null) {
  let session = first;
  const asked: { route: string; body: unknown }[] = [];
  const answer =
    (route: string) =>
    ({ body }: { body: unknown }): DialerSession => {
      asked.push({ route, body });
      if (!session) throw new Error(`${route} without a session`);
      return session;
    };
  server.use(
    replyTo(routes.getDialer, () => ({ session })),
    replyTo(routes.previewDialer, buildPreview()),
    replyTo(routes.startDialer, answer("start")),
    replyTo(routes.commandDialer, answer("command")),
    replyTo(routes.wrapUpDialer, answer("wrap-up")),
    replyTo(routes.setDialerDelay, answer("delay")),
    replyTo(routes.closeDialer, answer("close")),
    replyTo(routes.typingInDialer, () => {
      asked.push({ route: "typing", body: undefined });
      return { typingUntil: new Date().toISOString() };
    }),
    replyTo(routes.getDialerSummary, buildSummary()),
    replyTo(listCallLogs, []),
  );
  return {
    asked,
    /** What the server answers from now on. */
    becomes(next: DialerSession | null) {
      session = next;
    },
    async tell(client: QueryClient, next: DialerSession | null) {
      session = next;
      await invalidatePaths(client, ["/api/dialer"]);
    },
  };
}
