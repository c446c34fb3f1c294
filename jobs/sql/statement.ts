/**
 * Whether a query may run, by DuckDB's own parse of it: one SELECT over the views, with functions of the list. Pure; the tree comes from
 * `json_serialize_sql`, which serializes nothing but SELECT statements, but accepts several of them and any function.
 */
import { SQL_FUNCTIONS } from './functions.ts';
import { SQL_VIEWS } from './views.ts';

/** A forbidden part of a query. `at` is its position, from 0; null: none. */
export interface Refusal {
  readonly problem: 'not_one_select' | 'statement' | 'function' | 'table' | 'source' | 'too_deep';
  readonly value: string;
}

/** Functions in FROM. */
const TABLE_FUNCTIONS = new Set(['range', 'generate_series', 'unnest']);
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
]);
const NODES = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'CTE_NODE', 'RECURSIVE_CTE_NODE']);
/** Keys under which the tree has a source of rows. */
const SOURCE_KEYS = new Set(['from_table', 'left', 'right', 'source']);
const MAX_NODES = 50_000;

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null: it may run. `parsed` is the answer of `json_serialize_sql` for a query without an error. */
export function refusalOf(parsed: unknown): Refusal | null {
  const statements = isTree(parsed) ? parsed.statements : null;
  if (!Array.isArray(statements) || statements.length !== 1) return { problem: 'not_one_select', value: '' };
  const tables = new Set<string>(SQL_VIEWS);
  const nodes = flatten(statements[0]);
  if (nodes === null) return { problem: 'too_deep', value: '' };
  for (const { node } of nodes) for (const name of namesOfCtes(node)) tables.add(name);
  for (const { node, key } of nodes) {
    const refusal = ofNode(node, key, tables);
    if (refusal) return refusal;
  }
  return null;
}

/** Words with which a SELECT begins. */
const SELECT_WORDS = new Set(['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE']);

/** The refusal of a query that `json_serialize_sql` does not serialize, with the word that begins the statement that is no SELECT. */
export function refusalOfStatements(query: string): Refusal {
  const bare = query.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, ' ');
  const words = bare.split(';').flatMap((statement) => /[a-z]+/i.exec(statement)?.[0].toUpperCase() ?? []);
  return { problem: 'statement', value: words.find((word) => !SELECT_WORDS.has(word)) ?? '' };
}

/** Every object of the tree with the key that holds it; null: too many. */
function flatten(root: unknown): { readonly node: Tree; readonly key: string }[] | null {
  const found: { node: Tree; key: string }[] = [];
  const open: { value: unknown; key: string }[] = [{ value: root, key: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, key } = next;
    if (Array.isArray(value)) for (const one of value) open.push({ value: one, key });
    if (!isTree(value)) continue;
    found.push({ node: value, key });
    if (found.length > MAX_NODES) return null;
    for (const [name, one] of Object.entries(value)) open.push({ value: one, key: name });
  }
  return found;
}

function namesOfCtes({ cte_map: ctes }: Tree): string[] {
  if (!isTree(ctes) || !Array.isArray(ctes.map)) return [];
  return ctes.map.flatMap((entry: unknown) =>
    isTree(entry) && typeof entry.key === 'string' ? [entry.key.toLowerCase()] : [],
  );
}

function ofNode(node: Tree, key: string, tables: ReadonlySet<string>): Refusal | null {
  const { type, class: kind, function_name: name, table_name: table } = node;
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
    const isPlain = [node.schema_name, node.catalog_name].every((part) => part === '' || part === undefined);
    if (!isPlain || !tables.has(String(table).toLowerCase())) return { problem: 'table', value: String(table) };
  }
  if (typeof name !== 'string') return null;
  const allowed = key === 'function' ? TABLE_FUNCTIONS : SQL_FUNCTIONS;
  return allowed.has(name.toLowerCase()) ? null : { problem: 'function', value: name };
}
