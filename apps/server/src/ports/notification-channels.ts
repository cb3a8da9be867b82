/** A plain-text email to one person. */
export interface Email {
  /** An email address. */
  to: string;
  subject: string;
  text: string;
  /** Id of the email without spaces. It stays the same when the email is sent again, so that mail programs show it once. */
  reference: string;
}

export interface Mailer {
  /**
   * Hands an email to the mail server and resolves when the server has accepted it. Errors: `ProviderError`: `invalid` if the email or its
   * address is refused permanently, `auth` if the login is.
   */
  send(email: Email): Promise<void>;
  /** Signs in to the mail server without sending. Errors: as in `send`; ends within 10 s. */
  probe(): Promise<void>;
}

/** The portal's VAPID key pair, base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** A browser's subscription: its address at the push service, and its keys in base64url. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The browsers' push services (RFC 8030). The address in a subscription says which service the browser uses. */
export interface PushService {
  /** Whether the address belongs to a known push service and the keys can be used for encryption. */
  accepts(target: PushTarget): boolean;
  newKeys(): PushKeys;
  /**
   * Encrypts a message for the browser (RFC 8291) and hands it to the push service; resolves when the service has accepted it.
   * `ttlSeconds`: how long the service keeps the message for a browser that is offline.
   * Errors: `ProviderError`: `not-found` if the subscription no longer exists, `invalid` if the message is refused permanently or the
   * address is not of a known push service, `auth` if the keys are refused, `rate-limited`, `unavailable`; ends within 10 s.
   */
  send(message: { target: PushTarget; keys: PushKeys; text: string; ttlSeconds: number }): Promise<void>;
}
