import { auditActions } from "@portal/contract/entities/audit";
import { expect, it } from "vitest";
import { auditGroups } from "./admin-search.ts";
import { actionMessages } from "./messages.ts";

it("every action that the server records has a sentence in the audit log", () => {
  expect(auditActions.filter((action) => !(action in actionMessages.pairs))).toEqual([]);
});

it("the audit log can be filtered by every action", () => {
  const groups = auditGroups.filter((group) => group !== "");
  expect(auditActions.filter((action) => !groups.some((group) => action.startsWith(group)))).toEqual([]);
});
