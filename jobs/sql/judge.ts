/** Whether DuckDB reads a query as one SELECT that may run. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SandboxReply } from './sandbox-protocol.ts';
import { refusalOf, refusalOfStatements } from './statement.ts';

const MAX_MESSAGE = 500;

/** The answer to a query that may not run; null: it may. Nothing of the query runs. */
export async function judged(connection: DuckDBConnection, query: string): Promise<SandboxReply | null> {
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
