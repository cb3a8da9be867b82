import { type Check, findingOf } from "./check.ts";
import type { DiagnosticsContext } from "./types.ts";

/** E-mail: whether the mail server takes the portal's login. Without one the portal sends none. */
export function emailChecks({ mailer }: DiagnosticsContext): Check[] {
  return [
    {
      name: "credentials",
      look: async () =>
        mailer
          ? mailer.probe().then(() => ({ status: "ok" as const, finding: "accepted" as const }), findingOf)
          : { status: "off", finding: "not_used" },
    },
  ];
}
