import type { Route } from "@portal/contract/route";
import { expect, it } from "vitest";
import { messagesOf, setLanguage } from "../../lib/i18n.ts";
import { endpointMessages } from "./endpoint-messages.ts";

const modules = import.meta.glob<Record<string, unknown>>(
  "../../../../../packages/contract/src/routes/*.ts",
  {
    eager: true,
  },
);

function isRoute(value: unknown): value is Route {
  return typeof value === "object" && value !== null && "method" in value && "summary" in value;
}

const summaries = Object.fromEntries(
  Object.values(modules)
    .flatMap((module) => Object.values(module).filter(isRoute))
    .map(({ method, path, summary }) => [`${method} ${path.replace(/:(\w+)/g, "{$1}")}`, summary]),
);

it("every route of the contract has a summary in both languages, and no other route has", () => {
  const english = Object.fromEntries(
    Object.entries(endpointMessages.pairs).map(([route, [en]]) => [route, en]),
  );
  expect(english).toEqual(summaries);
});

it("finds a path with a dot", () => {
  setLanguage("es");
  expect(messagesOf(endpointMessages)("GET /api/imports/{id}/failed.csv")).toBe(
    "Filas rechazadas de una importación (CSV)",
  );
});
