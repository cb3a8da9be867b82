import type { CrmUser } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { Client } from "./client.ts";
import { locationSchema, usersSchema } from "./schemas.ts";
import { toUsers } from "./transform.ts";

const usersPerPage = 100;
/** After a refusal the search is tried again after this time, because the key may have got the scope. */
const refusedMs = 3_600_000;
const refusals = new Set(["auth", "invalid", "not-found"]);

interface Tries {
  tries?: number;
}

/**
 * Requests users by the search of the location's company, and by the older list if the search is refused, for example for a key without
 * `locations.readonly`.
 */
export function createUsersWay({ ask }: Pick<Client, "ask">) {
  let companyId: string | null = null;
  let refusedUntil = 0;

  async function findCompany(tries: Tries): Promise<string | null> {
    if (companyId !== null) return companyId;
    const { location } = await ask({
      send: (sdk, request, locationId) => sdk.locations.getLocation({ locationId }, request),
      schema: locationSchema,
      ...tries,
    });
    companyId = location?.companyId ?? null;
    return companyId;
  }

  return async <T>(
    ways: { search: (companyId: string) => Promise<T>; list: () => Promise<T> },
    tries: Tries,
  ): Promise<T> => {
    if (refusedUntil > performance.now()) return ways.list();
    try {
      const company = await findCompany(tries);
      return company === null ? await ways.list() : await ways.search(company);
    } catch (error) {
      if (!(error instanceof ProviderError) || !refusals.has(error.kind)) throw error;
      const found = await ways.list();
      refusedUntil = performance.now() + refusedMs;
      return found;
    }
  };
}

/** Reads all users of the location. */
export function createUsers(client: Client) {
  const { ask } = client;
  const byEitherWay = createUsersWay(client);

  async function search(company: string, tries: Tries): Promise<CrmUser[]> {
    const users: CrmUser[] = [];
    const seen = new Set<string>();
    let skip = 0;
    for (;;) {
      const params = { companyId: company, limit: String(usersPerPage), skip: String(skip) };
      const page = await ask({
        send: (sdk, request, locationId) => sdk.users.searchUsers({ ...params, locationId }, request),
        schema: usersSchema,
        ...tries,
      });
      const fresh = page.users.filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.add(id);
      users.push(...toUsers({ ...page, users: fresh }));
      // A page may hold fewer users than requested.
      skip += page.users.length;
      if (fresh.length === 0 || skip >= (page.count ?? Number.POSITIVE_INFINITY)) return users;
    }
  }

  async function list(tries: Tries): Promise<CrmUser[]> {
    const answer = await ask({
      send: (sdk, request, locationId) => sdk.users.getUserByLocation({ locationId }, request),
      schema: usersSchema,
      ...tries,
    });
    return toUsers(answer);
  }

  return async ({ once = false }: { once?: boolean } = {}): Promise<CrmUser[]> => {
    const tries = once ? { tries: 1 } : {};
    return byEitherWay({ search: (company) => search(company, tries), list: () => list(tries) }, tries);
  };
}
