import { randomBytes, randomUUID } from "node:crypto";
import type { Store, Table } from "../state/store.ts";
import type {
  AccessToken,
  AuthorizationCode,
  ConferenceData,
  GoogleEvent,
  Grant,
  MeetMode,
  StoredEvent,
} from "./entities.ts";

const ACCESS_SECONDS = 3_599;

interface Counters {
  seq: number;
  /** Sync tokens of earlier epochs are expired. */
  epoch: number;
}

/** All data of the simulated Google: consents, and the events of each account's primary calendar. */
export class GoogleData {
  readonly codes: Table<AuthorizationCode>;
  meetMode: MeetMode = "success";
  /** Whether the Calendar API is enabled in the app's Cloud project. */
  apiEnabled = true;
  /** Domains whose administrators do not allow apps to access their calendars. */
  readonly closedDomains = new Set<string>();
  readonly #store: Store;
  readonly #grants: Table<Grant>;
  readonly #access: Table<AccessToken>;
  readonly #events: Table<StoredEvent>;
  readonly #counters: Table<Counters>;

  constructor(store: Store) {
    this.#store = store;
    this.codes = store.table("google-codes");
    this.#grants = store.table("google-grants");
    this.#access = store.table("google-access");
    this.#events = store.table("google-events");
    this.#counters = store.table("google-counters");
  }

  clear(): void {
    this.meetMode = "success";
    this.apiEnabled = true;
    this.closedDomains.clear();
    for (const table of [this.codes, this.#grants, this.#access, this.#events, this.#counters]) table.clear();
  }

  get counters(): Counters {
    return this.#counters.get("counters") ?? { seq: 0, epoch: 1 };
  }

  expireSyncTokens(): void {
    const { seq, epoch } = this.counters;
    this.#counters.set("counters", { seq, epoch: epoch + 1 });
  }

  addGrant(grant: Omit<Grant, "id" | "refreshToken">, offline: boolean): Grant {
    const refreshToken = offline ? `1//${randomBytes(32).toString("base64url")}` : null;
    const added = { ...grant, id: randomUUID(), refreshToken };
    this.#grants.set(added.id, added);
    return added;
  }

  grantOfRefresh(refreshToken: unknown): Grant | undefined {
    return this.#grants
      .values()
      .find((grant) => grant.refreshToken !== null && grant.refreshToken === refreshToken);
  }

  /** The grant of a valid access token. */
  grantOfAccess(token: string): Grant | undefined {
    const access = this.#access.get(token);
    return access && access.expiresAt > Date.now() ? this.#grants.get(access.grantId) : undefined;
  }

  newAccessToken(grantId: string): { token: string; expiresIn: number } {
    const token = `ya29.${randomBytes(32).toString("base64url")}`;
    this.#access.set(token, { grantId, expiresAt: Date.now() + ACCESS_SECONDS * 1_000 });
    return { token, expiresIn: ACCESS_SECONDS };
  }

  /** Ends the grant of a refresh or access token; returns false for an unknown token. */
  revokeToken(token: string): boolean {
    const grant = this.grantOfRefresh(token) ?? this.#grants.get(this.#access.get(token)?.grantId ?? "");
    return grant ? this.#grants.delete(grant.id) : false;
  }

  /** Ends all grants of an account, as when its owner removes the app's access. */
  revokeAccount(account: string): number {
    const grants = this.grants().filter((grant) => grant.account === account);
    for (const grant of grants) this.#grants.delete(grant.id);
    return grants.length;
  }

  expireAccessTokens(): void {
    this.#access.clear();
  }

  grants(): Grant[] {
    return this.#grants.values();
  }

  events(account: string): StoredEvent[] {
    return this.#events.values().filter((stored) => stored.account === account);
  }

  event(account: string, id: string): GoogleEvent | undefined {
    return this.#events.get(`${account} ${id}`)?.event;
  }

  /** Saves an event as changed now: with a new etag and a later change number. */
  save(account: string, event: GoogleEvent): GoogleEvent {
    const { seq: last, epoch } = this.counters;
    const seq = last + 1;
    const changed = { ...event, etag: `"${seq}${Date.now()}"`, updated: new Date().toISOString() };
    this.#store.transaction(() => {
      this.#counters.set("counters", { seq, epoch });
      this.#events.set(`${account} ${event.id}`, { account, seq, event: changed });
    });
    return changed;
  }

  /** Completes every pending conference with its link. */
  settleConferences(): number {
    const open = this.#events
      .values()
      .filter(({ event }) => event.conferenceData?.createRequest?.status.statusCode === "pending");
    for (const { account, event } of open) {
      const request = event.conferenceData?.createRequest;
      if (request) this.save(account, { ...event, ...conference(request, "success") });
    }
    return open.length;
  }
}

/** The conference of an event in the given state, with the event's link if it was created. */
export function conference(
  request: { requestId: string; conferenceSolutionKey: { type: string } },
  statusCode: MeetMode,
): { conferenceData: ConferenceData; hangoutLink?: string } {
  const createRequest = {
    requestId: request.requestId,
    conferenceSolutionKey: { type: request.conferenceSolutionKey.type },
    status: { statusCode },
  };
  if (statusCode !== "success") return { conferenceData: { createRequest } };
  const letters = randomBytes(10).map((byte) => 97 + (byte % 26));
  const word = Buffer.from(letters).toString("latin1");
  const conferenceId = `${word.slice(0, 3)}-${word.slice(3, 7)}-${word.slice(7)}`;
  const uri = `https://meet.google.com/${conferenceId}`;
  return {
    hangoutLink: uri,
    conferenceData: {
      createRequest,
      conferenceId,
      conferenceSolution: { key: createRequest.conferenceSolutionKey, name: "Google Meet" },
      entryPoints: [{ entryPointType: "video", uri, label: uri.replace("https://", "") }],
    },
  };
}
