import type { Route } from "@portal/contract/route";
import { type InputArgument, routePath } from "./api.ts";

/** Tells the server a last word while the page goes away; nobody learns how it went. */
export function sendOnLeave<R extends Route>(route: R, ...[input]: InputArgument<R>): void {
  const { params, body } = (input ?? {}) as { params?: object; body?: unknown };
  navigator.sendBeacon(
    routePath(route, params),
    new Blob([JSON.stringify(body)], { type: "application/json" }),
  );
}
