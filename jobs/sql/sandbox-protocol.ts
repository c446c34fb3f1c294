/** Messages between a worker and the process of a query. */
import type { SqlResult } from '../contracts/sql.ts';

/** The process writes an empty line when it is ready, one when it has read its request, and a line end after its answer. */
export const READY = '\n';
export const BEGUN = `${READY}\n`;
export const END = '\n';

/** The argument of a process that warms up before it is ready. */
export const WARM_UP = 'warm-up';

/** The argument of a process whose folder has no files. */
export const WITHOUT_VIEWS = 'without-views';

/** The argument of a process that has the file of `my_columns`. */
export const WITH_COLUMNS = 'with-columns';

/** A forbidden part of a query. */
export interface Refusal {
  readonly problem: 'not_one_select' | 'statement' | 'function' | 'table' | 'source' | 'too_deep';
  readonly value: string;
}

export interface SandboxRequest {
  readonly query: string;
  readonly limit: number;
  readonly resultMb: number;
}

export type SandboxReply =
  | { readonly type: 'done'; readonly result: Pick<SqlResult, 'columns' | 'rows' | 'truncated'> }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** The query names `my_columns`, of which the process has no file. */
  | { readonly type: 'lacks_columns' }
  /** The query is wrong; the message is DuckDB's. */
  | { readonly type: 'invalid'; readonly message: string }
  | { readonly type: 'exceeded'; readonly limit: 'memory' | 'result' };
