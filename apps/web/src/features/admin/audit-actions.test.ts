import { auditActions } from "@portal/contract/entities/audit";
import { expect, it } from "vitest";
import { actionMessages } from "./messages.ts";

it("every action that the server records reads as a sentence in the audit", () => {
  expect(auditActions.filter((action) => !(action in actionMessages.pairs))).toEqual([]);
});
