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
