/** Messages between a worker and the process of a query. */
import type { SqlResult } from './contract.ts';
import type { Refusal } from './statement.ts';

export interface SandboxRequest {
  readonly query: string;
  readonly limit: number;
  readonly memoryMb: number;
  readonly resultMb: number;
}

export type SandboxReply =
  | { readonly type: 'done'; readonly result: Pick<SqlResult, 'columns' | 'rows' | 'truncated'> }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** The query is wrong, in DuckDB's words. */
  | { readonly type: 'invalid'; readonly message: string }
  | { readonly type: 'exceeded'; readonly limit: 'memory' | 'result' };
