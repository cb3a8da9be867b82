import type { CrmStatus } from "@portal/contract/entities/crm";
import type { Crm } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { crmOffMessage } from "./words.ts";

const rememberMs = 10_000;

async function ask(crm: Crm): Promise<CrmStatus> {
  try {
    const users = await crm.listUsers({ once: true });
    return { connected: true, message: "Connected to GoHighLevel.", usersCount: users.length };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { connected: false, message: error.message, usersCount: 0 };
  }
}

/** Tells whether the CRM answers; one answer serves everybody for some seconds, so that pages never burden the CRM. */
export function createCrmStatus(crm: Crm | null): () => Promise<CrmStatus> {
  let known: Promise<CrmStatus> | undefined;
  let until = 0;
  return async () => {
    if (!crm) return { connected: false, message: crmOffMessage, usersCount: 0 };
    if (!known || until < Date.now()) {
      known = ask(crm);
      until = Number.POSITIVE_INFINITY;
      known.then(
        () => {
          until = Date.now() + rememberMs;
        },
        () => {
          known = undefined;
        },
      );
    }
    return known;
  };
}
