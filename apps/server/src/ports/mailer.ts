/** A letter of plain text to one person. */
export interface Letter {
  /** An e-mail address. */
  to: string;
  subject: string;
  text: string;
  /** What the letter tells, without spaces: a letter that is sent again has the same, so that mail programs show it once. */
  reference: string;
}

/** Sends mail. */
export interface Mailer {
  /**
   * Hands a letter in; when it answers, the mail server has taken it.
   * Errors: `ProviderError`: `invalid` where the letter or its address is refused for good, `auth` where the login is.
   */
  send(letter: Letter): Promise<void>;
}
