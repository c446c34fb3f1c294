/**
 * Whether a query may run: a SELECT over the views with the functions of the list, or an EXPLAIN of one, or a PRAGMA about a view. DuckDB
 * parses it: `json_serialize_sql` gives the tree of SELECT statements alone, but of several and with any function.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { SQL_VIEWS } from '../contracts/sql.ts';
import type { Refusal, SandboxReply } from './sandbox-protocol.ts';

const OPERATORS = '+ - * / // % ** ^ || & | << >> ~ @ ! ~~ !~~ ~~~ ~~* !~~* ^@ <=> <-> ->> -> && <@ @> !__postfix';

const AGGREGATES = `any_value arbitrary arg_max arg_min arg_max_null arg_min_null arg_max_nulls_last arg_min_nulls_last argmax argmin
  max_by min_by array_agg list avg mean bit_and bit_or bit_xor bool_and bool_or bitstring_agg count count_if countif count_star sum
  sum_no_overflow fsum kahan_sum sumkahan favg product geomean geometric_mean wavg weighted_avg min max first last string_agg
  group_concat listagg approx_count_distinct approx_quantile approx_top_k reservoir_quantile mode median quantile quantile_cont
  quantile_disc mad stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp skewness kurtosis
  kurtosis_pop entropy regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_syy regr_sxy sem histogram
  histogram_exact is_histogram_other_bin equi_width_bins grouping json_group_array json_group_object json_group_structure`;

const WINDOWS = `row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value fill`;

const NUMBERS = `abs ceil ceiling floor round round_even roundbankers trunc sign sqrt cbrt exp ln log log2 log10 pow power mod fmod
  fdiv divide add subtract multiply greatest least sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh cot degrees
  radians pi even gcd lcm greatest_common_divisor least_common_multiple factorial gamma lgamma isnan isinf isfinite nextafter
  signbit xor width_bucket bit_count bit_length bit_position bitstring get_bit set_bit to_base bin to_binary hex to_hex random`;

const TEXTS = `lower upper lcase ucase length strlen char_length character_length octet_length trim ltrim rtrim lpad rpad repeat
  substring substr left right left_grapheme right_grapheme length_grapheme substring_grapheme concat concat_ws contains prefix suffix
  starts_with ends_with position strpos instr replace reverse split_part string_split str_split split string_to_array
  string_split_regex str_split_regex regexp_split_to_array regexp_split_to_table translate ascii unicode chr ord format printf
  regexp_matches regexp_full_match regexp_extract regexp_extract_all regexp_replace regexp_escape like_escape ilike_escape
  not_like_escape not_ilike_escape levenshtein damerau_levenshtein editdist3 hamming mismatches jaccard jaro_similarity
  jaro_winkler_similarity strip_accents nfc_normalize bar hash md5 md5_number md5_number_lower md5_number_upper sha1 sha256 encode
  decode base64 to_base64 from_base64 unhex from_hex unbin from_binary url_encode url_decode format_bytes
  formatReadableSize formatReadableDecimalSize parse_formatted_bytes pg_size_pretty parse_filename parse_dirname parse_dirpath
  parse_path uuid gen_random_uuid uuidv4 uuidv7 uuid_extract_timestamp uuid_extract_version`;

const TIMES = `year month day quarter week weekofyear weekday dayofweek dayofmonth dayofyear isodow isoyear decade century millennium era
  epoch epoch_ms epoch_us epoch_ns hour minute second millisecond microsecond nanosecond date_part datepart date_trunc datetrunc
  date_diff datediff date_sub datesub date_add last_day days_in_month dayname monthname make_date make_time make_timestamp
  make_timestamp_ms make_timestamp_ns make_timestamptz strftime strptime try_strptime to_timestamp to_microseconds to_milliseconds
  to_seconds to_minutes to_hours to_days to_weeks to_months to_quarters to_years to_decades to_centuries to_millennia
  normalized_interval age ago today now current_date current_localtime current_localtimestamp get_current_time
  get_current_timestamp transaction_timestamp timezone timezone_hour timezone_minute time_bucket julian yearweek`;

const LISTS = `list_value list_pack array_value list_extract array_extract list_element list_slice array_slice list_concat list_cat
  array_concat array_cat list_append array_append array_push_back list_prepend array_prepend array_push_front array_pop_back
  array_pop_front list_resize array_resize list_contains array_contains list_has array_has list_has_any array_has_any list_has_all
  array_has_all list_position list_indexof array_position array_indexof list_intersect array_intersect list_distinct array_distinct
  list_unique array_unique list_sort array_sort list_reverse_sort array_reverse_sort list_grade_up array_grade_up grade_up
  list_reverse array_reverse list_select array_select list_where array_where list_zip array_zip list_transform array_transform
  list_apply array_apply apply list_filter array_filter filter list_reduce array_reduce reduce flatten array_length len
  array_to_string list_aggregate list_aggr array_aggregate array_aggr aggregate list_any_value list_approx_count_distinct list_avg
  list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or list_count list_entropy list_first list_histogram list_kurtosis
  list_kurtosis_pop list_last list_mad list_max list_median list_min list_mode list_product list_sem list_skewness list_stddev_pop
  list_stddev_samp list_string_agg list_sum list_var_pop list_var_samp list_distance array_distance list_cosine_distance
  array_cosine_distance list_cosine_similarity array_cosine_similarity list_inner_product array_inner_product list_dot_product
  array_dot_product list_negative_inner_product array_negative_inner_product list_negative_dot_product array_negative_dot_product
  array_cross_product generate_series range generate_subscripts unnest unpivot_list`;

const RECORDS = `row struct_pack struct_extract struct_extract_at struct_concat struct_contains struct_has struct_indexof struct_position
  struct_insert struct_update struct_keys struct_values map map_extract map_extract_value element_at map_concat map_contains
  map_contains_entry map_contains_value map_entries map_from_entries map_keys map_values cardinality union_extract union_tag
  union_value enum_code enum_first enum_last enum_range enum_range_boundary`;

const JSON_FUNCTIONS = `json json_array json_array_length array_to_json json_contains json_exists json_extract json_extract_path
  json_extract_path_text json_extract_string json_keys json_merge_patch json_object json_pretty json_quote json_structure
  json_transform json_transform_strict json_type json_valid json_value from_json from_json_strict row_to_json to_json`;

const OTHERS = `coalesce ifnull nullif if error switch constant_or_null typeof pg_typeof alias can_cast_implicitly in not
  is_distinct_from`;

const GROUPS = [OPERATORS, AGGREGATES, WINDOWS, NUMBERS, TEXTS, TIMES, LISTS, RECORDS, JSON_FUNCTIONS, OTHERS];

/** In lower case: functions that only compute values, and access no file, network, setting, or session. */
export const SQL_FUNCTIONS: ReadonlySet<string> = new Set(
  GROUPS.flatMap((names) => names.toLowerCase().trim().split(/\s+/)),
);

/** In FROM. */
const SQL_TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'range',
  'generate_series',
  'unnest',
  'json_each',
  'json_tree',
]);

const MAX_MESSAGE = 500;

/** The statement to run for a query, or the reply to one that may not run. */
type CheckedQuery = ({ readonly statement: string } & Named) | SandboxReply;

/** The tables in a permitted SELECT, in lower case: views, and common table expressions, which may hide them. */
interface Named {
  readonly views: ReadonlySet<string>;
}

const EXPLAIN = /^\s*(explain\s+(?:analyze\s+)?)/i;
const PRAGMA = /^\s*pragma\s+table_info\s*\(\s*(['"]?)(\w+)\1\s*\)\s*;?\s*$/i;

/** Checks a query without running any of it. DuckDB serializes only SELECT, so EXPLAIN and PRAGMA are recognized here. */
export async function checkQuery(connection: DuckDBConnection, query: string): Promise<CheckedQuery> {
  const view = PRAGMA.exec(query)?.[2].toLowerCase();
  if (view !== undefined && SQL_VIEWS.some((name) => name === view))
    return { statement: `pragma table_info('${view}')`, views: new Set() };
  const [, explain = ''] = EXPLAIN.exec(query) ?? [];
  const select = explain === '' ? query : query.replace(EXPLAIN, '');
  const checked = await checkSelect(connection, select);
  return 'views' in checked ? { statement: `${explain}${select}`, ...checked } : checked;
}

/** The tables in a permitted SELECT, or the reply to another query. */
async function checkSelect(connection: DuckDBConnection, query: string): Promise<Named | SandboxReply> {
  const parsed = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [query]);
  const tree = treeOf(String(parsed.getRows()[0][0]));
  if (tree === null) return { type: 'invalid', message: 'Out of Range Error: a number is too large' };
  const error = errorOf(tree);
  if (error) {
    return error.isParsed
      ? { type: 'refused', refusal: refusalOfStatements(query) }
      : { type: 'invalid', message: error.message };
  }
  const named = inspect(tree);
  return 'problem' in named ? { type: 'refused', refusal: named } : named;
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

/** `parsed` is the result of `json_serialize_sql` for a query without an error. */
function inspect(parsed: unknown): Named | Refusal {
  const statements = isTree(parsed) ? parsed.statements : null;
  if (!Array.isArray(statements) || statements.length !== 1) return { problem: 'not_one_select', value: '' };
  const open: Part[] = [{ value: statements[0], key: '', scope: new Set(SQL_VIEWS) }];
  const views = new Set<string>();
  let count = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    const { value, key, scope } = part;
    if (Array.isArray(value)) for (const one of value) open.push({ value: one, key, scope });
    if (!isTree(value)) continue;
    count++;
    const refusal =
      count > MAX_NODES ? { problem: 'too_deep' as const, value: '' } : ofNode(value, key, partsOf(value, scope, open));
    if (refusal) return refusal;
    if (value.type === 'BASE_TABLE') views.add(String(value.table_name).toLowerCase());
  }
  return { views };
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
