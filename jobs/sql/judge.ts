/** Whether DuckDB reads a query as one that may run: a SELECT, or a question about one or about the views. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { SQL_VIEWS } from '../contracts/sql.ts';
import type { SandboxReply } from './sandbox-protocol.ts';
import { refusalOf, refusalOfStatements } from './statement.ts';

const MAX_MESSAGE = 500;

/** The statement that runs for a query, or the answer to one that may not run. */
export type Verdict = { readonly statement: string } | SandboxReply;

const EXPLAIN = /^\s*(explain\s+(?:analyze\s+)?)/i;
const PRAGMA = /^\s*pragma\s+table_info\s*\(\s*(['"]?)(\w+)\1\s*\)\s*;?\s*$/i;

/** Nothing of the query runs. DuckDB's parser shows what a SELECT is, so what runs beside one is put together here. */
export async function judged(connection: DuckDBConnection, query: string): Promise<Verdict> {
  const view = PRAGMA.exec(query)?.[2].toLowerCase();
  if (view !== undefined && SQL_VIEWS.some((name) => name === view))
    return { statement: `pragma table_info('${view}')` };
  const [, explain = ''] = EXPLAIN.exec(query) ?? [];
  const select = explain === '' ? query : query.replace(EXPLAIN, '');
  return (await answerToSelect(connection, select)) ?? { statement: `${explain}${select}` };
}

/** The answer to a query that is no SELECT that may run; null: it is one. */
async function answerToSelect(connection: DuckDBConnection, query: string): Promise<SandboxReply | null> {
  const parsed = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [query]);
  const tree = treeOf(String(parsed.getRows()[0][0]));
  if (tree === null) return { type: 'invalid', message: 'Out of Range Error: a number is too large' };
  const error = errorOf(tree);
  if (error) {
    return error.isParsed
      ? { type: 'refused', refusal: refusalOfStatements(query) }
      : { type: 'invalid', message: error.message };
  }
  const refusal = refusalOf(tree);
  return refusal && { type: 'refused', refusal };
}

/** Null: the query has a number beyond the range of DOUBLE, which DuckDB writes as no JSON. */
function treeOf(serialized: string): unknown {
  try {
    return JSON.parse(serialized);
  } catch {
    return null;
  }
}

/** The error of DuckDB for a query that it cannot parse, or that it parses but that is no SELECT; null: none. */
function errorOf(tree: unknown): { readonly isParsed: boolean; readonly message: string } | null {
  if (typeof tree !== 'object' || tree === null || Reflect.get(tree, 'error') !== true) return null;
  const message = plain(String(Reflect.get(tree, 'error_message')));
  return { isParsed: Reflect.get(tree, 'error_type') === 'not implemented', message };
}

/** A message of DuckDB without its stack. */
export const plain = (message: string) => message.split('\n\nStack Trace')[0].slice(0, MAX_MESSAGE);
