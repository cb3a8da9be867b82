/** The portal's pair of keys (VAPID), base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** A browser's subscription: its address at its push service, and its keys in base64url. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The browsers' push services (RFC 8030), which the browser chooses by the address that it gives. */
export interface PushService {
  /** Whether this is an address of a push service that we send to, with keys that can be encrypted for. */
  accepts(target: PushTarget): boolean;
  newKeys(): PushKeys;
  /**
   * Hands a message to the push service, encrypted for the browser (RFC 8291); when it answers, the service has accepted it. `ttlSeconds`: how
   * long the service keeps it for a browser that is away.
   * Errors: `ProviderError`: `not-found` where the subscription exists no more, `invalid` where the message is refused for good or the
   * address is none that we send to, `auth` where the keys are, `rate-limited`, `unavailable`; ends within 10 s.
   */
  send(message: { target: PushTarget; keys: PushKeys; text: string; ttlSeconds: number }): Promise<void>;
}
