/** A call to a bucket that failed after all its tries; a status of 0 means that no answer came. */
export class BucketFailure extends Error {
  override readonly name = 'BucketFailure';
  readonly status: number;
  /** The server's name of the failure, such as `AccessDenied`; answers to HEAD have none. */
  readonly code: string | null;

  constructor(status: number, code: string | null, cause: Error) {
    super(status > 0 ? `${status}${code === null ? '' : ` ${code}`}` : `no answer: ${cause.message}`, { cause });
    this.status = status;
    this.code = code;
  }
}
