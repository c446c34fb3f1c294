/** One page of a list. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

export interface Page<T> {
  /** Items of all pages. */
  readonly total: number;
  readonly items: readonly T[];
}
