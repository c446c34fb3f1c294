/** Counts of attempts, outside the plans. */

/** Guards against abuse, outside the plans. */
export const GUARDS = {
  /** Requests for login codes: of an address for an e-mail address, of an address, and for an e-mail address. */
  code_pause: { limit: 1, windowSeconds: 60 },
  code_hour: { limit: 5, windowSeconds: 3600 },
  code_address: { limit: 20, windowSeconds: 3600 },
  code_account: { limit: 10, windowSeconds: 3600 },
  /** Tries at a code: the first one of who requested it, of another address, and all others for an e-mail address. */
  code_first: { limit: 1, windowSeconds: 3600 },
  code_elsewhere: { limit: 5, windowSeconds: 3600 },
  code_tries: { limit: 15, windowSeconds: 3600 },
  password: { limit: 5, windowSeconds: 900 },
  password_address: { limit: 20, windowSeconds: 900 },
  refusals: { limit: 120, windowSeconds: 60 },
  refused_actions: { limit: 10, windowSeconds: 60 },
} as const;
export type GuardName = keyof typeof GUARDS;

/** One guarded counter: `subject` is an address, the hash of a name, or an account. */
export interface Guarded {
  readonly guard: GuardName;
  readonly subject: string;
}

export const guardKey = ({ guard, subject }: Guarded) => `${subject}:${guard}`;
