/** An error that the user can fix: its message is shown without a stack. */
export class PlainError extends Error {
  override readonly name = "PlainError";
}
