/** A fault that the reader can fix: its message is shown as it is, without a stack. */
export class PlainError extends Error {
  override readonly name = "PlainError";
}
