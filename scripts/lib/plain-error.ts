/** A fault that the reader can mend: its message is shown as it is, without a stack. */
export class PlainError extends Error {
  override readonly name = "PlainError";
}
