/** An email of plain text to one person. */
export interface Email {
  /** An e-mail address. */
  to: string;
  subject: string;
  text: string;
  /** What the email is about, without spaces: an email that is sent again has the same, so that mail programs show it once. */
  reference: string;
}

/** Sends mail. */
export interface Mailer {
  /**
   * Hands an email to the mail server; when it answers, the server has accepted it.
   * Errors: `ProviderError`: `invalid` where the email or its address is refused for good, `auth` where the login is.
   */
  send(email: Email): Promise<void>;
  /** Signs in at the mail server and sends nothing. Errors as in `send`; ends within 10 s. */
  probe(): Promise<void>;
}
