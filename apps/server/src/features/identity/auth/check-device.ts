import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** An account as far as device cookies are concerned: changing the password invalidates them. */
export interface DeviceAccount {
  userId: number;
  passwordHash: string;
}

/**
 * A signed cookie marks a browser that has signed in to an account before. It does not sign anybody in; it only gives the browser its own
 * counter of failed sign-ins, so that guesses from elsewhere do not lock its owner out.
 */
export interface DeviceCookies {
  name: string;
  attributes: { path: "/"; httpOnly: true; sameSite: "lax"; secure: boolean; maxAge: number };
  /** The device's id if the cookie is valid for the account and not expired; else null. */
  find(cookie: string | undefined, account: DeviceAccount): string | null;
  /** The cookie after a sign-in to the account; entries for up to four other accounts stay. */
  grant(cookie: string | undefined, account: DeviceAccount): string;
}

const lifeSeconds = 90 * 86_400;
const accountsMost = 5;
const idBytes = 16;
/** User, device, sign-in time in seconds, signature. */
const entryShape = /^(\d{1,10})\.([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/** Device cookies signed with a key derived from the current secret; those of the previous secret are accepted too. `secure` for https. */
export function createDeviceCookies({
  secrets,
  secure,
}: {
  secrets: { current: string; previous: string | null };
  secure: boolean;
}): DeviceCookies {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "portal device cookie", 32));
  const current = keyOf(secrets.current);
  const keys = [current, ...(secrets.previous === null ? [] : [keyOf(secrets.previous)])];

  const sign = (key: Buffer, account: DeviceAccount, id: string, since: number): Buffer =>
    createHmac("sha256", key).update(`${account.userId}.${id}.${since}.${account.passwordHash}`).digest();

  const entriesOf = (cookie: string | undefined): RegExpExecArray[] =>
    (cookie ?? "")
      .split("~", accountsMost)
      .map((entry) => entryShape.exec(entry))
      .filter((entry) => entry !== null);

  function find(cookie: string | undefined, account: DeviceAccount): string | null {
    const now = Date.now() / 1000;
    for (const [, userId, id = "", since, signature = ""] of entriesOf(cookie)) {
      if (Number(userId) !== account.userId || Number(since) + lifeSeconds < now) continue;
      const signed = Buffer.from(signature, "base64url");
      if (keys.some((key) => timingSafeEqual(signed, sign(key, account, id, Number(since))))) return id;
    }
    return null;
  }

  return {
    name: secure ? "__Host-portal-device" : "portal-device",
    attributes: { path: "/", httpOnly: true, sameSite: "lax", secure, maxAge: lifeSeconds },
    find,
    grant(cookie, account) {
      const id = find(cookie, account) ?? randomBytes(idBytes).toString("base64url");
      const since = Math.floor(Date.now() / 1000);
      const others = entriesOf(cookie)
        .filter(([, userId]) => Number(userId) !== account.userId)
        .map(([entry]) => entry);
      const own = `${account.userId}.${id}.${since}.${sign(current, account, id, since).toString("base64url")}`;
      return [own, ...others].slice(0, accountsMost).join("~");
    },
  };
}
