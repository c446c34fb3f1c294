/** The error of a wrong input of the program. The message is one line for people. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
