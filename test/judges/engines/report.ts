/** The answers of the engines, as a table of digests. */
import { createHash } from 'node:crypto';
import Table from 'cli-table3';
import type { Engine } from './engine.ts';

type Row = readonly (string | number | boolean | null)[];

/** The rows of each query. */
export type Answers = Readonly<Record<string, readonly Row[]>>;

export interface EngineResult {
  readonly engine: Engine;
  readonly answers: Answers;
  /** For all queries, with the start of the engine. */
  readonly seconds: number;
  /** Calls of the catalog, and reads of files. */
  readonly calls: { readonly catalog: number; readonly files: number };
}

export interface SkippedEngine {
  readonly name: string;
  readonly reason: string;
}

/** Sums of floating-point numbers depend on their order, so digests are of nine digits. */
const DIGITS = 9;
const plain = (value: Row[number]) => (typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value);

/** The first characters of the digest of the rows of an answer. */
function digestOf(rows: readonly Row[]): string {
  const text = JSON.stringify(rows.map((row) => row.map(plain)));
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

interface Query {
  readonly name: string;
  readonly rows: number;
  readonly digests: readonly string[];
}

export function queriesOf(results: readonly EngineResult[]): Query[] {
  if (results.length === 0) return [];
  const [{ answers: first }] = results;
  return Object.keys(first).map((name) => ({
    name,
    rows: first[name].length,
    digests: results.map(({ answers }) => digestOf(answers[name])),
  }));
}

const isSame = ({ digests }: Query) => new Set(digests).size === 1;

/** Whether all engines give the same answers. */
export const isEqual = (results: readonly EngineResult[]) => queriesOf(results).every(isSame);

/** A table, and a last line that counts, and names what was skipped. */
export function toText(results: readonly EngineResult[], skipped: readonly SkippedEngine[]): string {
  const queries = queriesOf(results);
  const table = new Table({
    head: ['query', 'rows', ...results.map(({ engine }) => engine.name)],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, rows, digests } of queries) table.push([name, rows, ...digests]);
  table.push(['calls of the catalog', '', ...results.map(({ calls }) => calls.catalog)]);
  table.push(['reads of files', '', ...results.map(({ calls }) => calls.files)]);
  table.push(['seconds', '', ...results.map(({ seconds }) => Math.round(seconds))]);
  const reasons = skipped.map(({ name, reason }) => `skipped ${name}: ${reason}\n`).join('');
  const names = skipped.length === 0 ? '' : `; SKIPPED: ${skipped.map(({ name }) => name).join(', ')}`;
  const equal = queries.filter(isSame).length;
  const counts = `${results.length} engines, ${queries.length} queries: ${equal} with equal digests`;
  return `${results.length === 0 ? '' : `${table.toString()}\n`}${reasons}${counts}${names}\n`;
}
