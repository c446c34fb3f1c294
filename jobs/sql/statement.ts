/**
 * Whether a query may run: a SELECT over the views with the functions of the list, or an EXPLAIN of one, or a PRAGMA about a view. DuckDB
 * parses it: `json_serialize_sql` gives the tree of SELECT statements alone, but of several and with any function.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { SQL_VIEWS } from '../contracts/sql.ts';
import { SQL_FUNCTIONS, SQL_TABLE_FUNCTIONS } from './functions.ts';
import type { Refusal, SandboxReply } from './sandbox-protocol.ts';

const MAX_MESSAGE = 500;

/** The statement to run for a query, or the reply to one that may not run. */
type CheckedQuery = { readonly statement: string } | SandboxReply;

const EXPLAIN = /^\s*(explain\s+(?:analyze\s+)?)/i;
const PRAGMA = /^\s*pragma\s+table_info\s*\(\s*(['"]?)(\w+)\1\s*\)\s*;?\s*$/i;

/** Checks a query without running any of it. DuckDB serializes only SELECT, so EXPLAIN and PRAGMA are recognized here. */
export async function checkQuery(connection: DuckDBConnection, query: string): Promise<CheckedQuery> {
  const view = PRAGMA.exec(query)?.[2].toLowerCase();
  if (view !== undefined && SQL_VIEWS.some((name) => name === view))
    return { statement: `pragma table_info('${view}')` };
  const [, explain = ''] = EXPLAIN.exec(query) ?? [];
  const select = explain === '' ? query : query.replace(EXPLAIN, '');
  return (await replyToSelect(connection, select)) ?? { statement: `${explain}${select}` };
}

/** The reply to a query that is not a permitted SELECT; null: it is one. */
async function replyToSelect(connection: DuckDBConnection, query: string): Promise<SandboxReply | null> {
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

/** Null: the query has a number beyond the range of DOUBLE, which DuckDB does not write as JSON. */
function treeOf(serialized: string): unknown {
  try {
    return JSON.parse(serialized);
  } catch {
    return null;
  }
}

/** DuckDB's error for a query that it cannot parse, or can parse but that is not a SELECT (`isParsed`); null: none. */
function errorOf(tree: unknown): { readonly isParsed: boolean; readonly message: string } | null {
  if (typeof tree !== 'object' || tree === null || Reflect.get(tree, 'error') !== true) return null;
  const message = plainMessage(String(Reflect.get(tree, 'error_message')));
  return { isParsed: Reflect.get(tree, 'error_type') === 'not implemented', message };
}

/** A message of DuckDB without its stack. */
export const plainMessage = (message: string) => message.split('\n\nStack Trace')[0].slice(0, MAX_MESSAGE);

const SOURCES = new Set([
  'BASE_TABLE',
  'SUBQUERY',
  'JOIN',
  'TABLE_FUNCTION',
  'EXPRESSION_LIST',
  'EMPTY',
  'EMPTY_FROM',
  'PIVOT',
  'COLUMN_DATA',
  'SHOW_REF',
]);
/** The sources that SHOW, or DESCRIBE without a query, may list: the views. */
const SHOWN = new Set(['"tables"', '__show_tables_expanded']);
const NODES = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'CTE_NODE', 'RECURSIVE_CTE_NODE']);
/** Keys under which the tree has a source of rows. */
const SOURCE_KEYS = new Set(['from_table', 'left', 'right', 'source']);
const MAX_NODES = 50_000;

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tables that a part of a query can read. */
type Scope = ReadonlySet<string>;

/** A part of the tree, the key that holds it, and the tables that it can read. */
interface Part {
  readonly value: unknown;
  readonly key: string;
  readonly scope: Scope;
}

/** Null: it may run. `parsed` is the result of `json_serialize_sql` for a query without an error. */
function refusalOf(parsed: unknown): Refusal | null {
  const statements = isTree(parsed) ? parsed.statements : null;
  if (!Array.isArray(statements) || statements.length !== 1) return { problem: 'not_one_select', value: '' };
  const open: Part[] = [{ value: statements[0], key: '', scope: new Set(SQL_VIEWS) }];
  let count = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    const { value, key, scope } = part;
    if (Array.isArray(value)) for (const one of value) open.push({ value: one, key, scope });
    if (!isTree(value)) continue;
    count++;
    const refusal =
      count > MAX_NODES ? { problem: 'too_deep' as const, value: '' } : ofNode(value, key, partsOf(value, scope, open));
    if (refusal) return refusal;
  }
  return null;
}

/** Words with which a SELECT begins. */
const SELECT_WORDS = new Set(['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE', 'DESCRIBE', 'DESC', 'SHOW', 'SUMMARIZE']);

/** The refusal of a query that `json_serialize_sql` does not serialize, with the first word of its first statement that is not a SELECT. */
function refusalOfStatements(query: string): Refusal {
  const bare = query.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, ' ');
  const words = bare.split(';').flatMap((statement) => /[a-z]+/i.exec(statement)?.[0].toUpperCase() ?? []);
  return { problem: 'statement', value: words.find((word) => !SELECT_WORDS.has(word)) ?? '' };
}

/**
 * Adds the parts of a node to `open` and returns the tables that the node can read. A common table expression can be read after it, and
 * by the repeated part of a recursive one. Anywhere else DuckDB would take its name for a file or for one of its own tables.
 */
function partsOf(node: Tree, scope: Scope, open: Part[]): Scope {
  const { cte_map: ctes, ...others } = node;
  let own = scope;
  for (const { key, value } of entriesOf(ctes)) {
    open.push({ value, key: 'cte', scope: own });
    own = new Set([...own, key.toLowerCase()]);
  }
  const repeated = node.type === 'RECURSIVE_CTE_NODE' ? new Set([...own, String(node.cte_name).toLowerCase()]) : own;
  for (const [name, value] of Object.entries(others)) {
    open.push({ value, key: name, scope: name === 'right' ? repeated : own });
  }
  return own;
}

function entriesOf(ctes: unknown): { readonly key: string; readonly value: unknown }[] {
  if (!isTree(ctes) || !Array.isArray(ctes.map)) return [];
  return ctes.map.flatMap((entry: unknown) =>
    isTree(entry) && typeof entry.key === 'string' ? [{ key: entry.key, value: entry.value }] : [],
  );
}

function ofNode(node: Tree, key: string, tables: Scope): Refusal | null {
  const { type, class: kind, function_name: name, table_name: table } = node;
  // DESCRIBE and SUMMARIZE have a query, which is checked like any other.
  if (type === 'SHOW_REF' && !isTree(node.query)) {
    const names = [node.catalog_name, node.schema_name, table].filter((part) => part !== '' && part !== undefined);
    return names.length === 1 && SHOWN.has(String(table))
      ? null
      : { problem: 'source', value: `SHOW ${names.join('.').replaceAll('"', '')}` };
  }
  if (key === 'node' && !NODES.has(String(type))) return { problem: 'source', value: String(type) };
  if (
    SOURCE_KEYS.has(key) &&
    kind === undefined &&
    typeof type === 'string' &&
    !SOURCES.has(type) &&
    !NODES.has(type)
  ) {
    return { problem: 'source', value: type };
  }
  if (type === 'BASE_TABLE') {
    const names = [node.catalog_name, node.schema_name, table].filter((part) => part !== '' && part !== undefined);
    if (names.length > 1 || !tables.has(String(table).toLowerCase()))
      return { problem: 'table', value: names.join('.') };
  }
  if (typeof name !== 'string') return null;
  const allowed = key === 'function' ? SQL_TABLE_FUNCTIONS : SQL_FUNCTIONS;
  return allowed.has(name.toLowerCase()) ? null : { problem: 'function', value: name };
}
