/** The published claims, read from their table and checked. */
import type { LongShortRule } from '../cohort.ts';
import { CLAIM_TABLE } from './table.ts';

export interface Claim {
  readonly code: string;
  readonly name: string;
  readonly authors: string;
  readonly year: number;
  readonly journal: string;
  /** Years, both included. */
  readonly sample: { readonly start: number; readonly end: number };
  /** The sign of the plain value; the expression has it already. */
  readonly sign: 1 | -1;
  /** Percent a month; null: the paper has no return. */
  readonly publishedPct: number | null;
  readonly publishedT: number | null;
  readonly kind: 'return' | 'alpha' | 'slope' | 'event';
  readonly weights: 'equal' | 'value';
  /** The classes of the paper, and the stocks that it sorted. */
  readonly sort: string;
  readonly stocks: string;
  /** More about the cell. */
  readonly note: string | null;
  readonly cuts: LongShortRule['cuts'];
  readonly hold: number;
  /** Months between the cohorts of the paper. */
  readonly every: number;
  /** Names in the collections of Open Source Asset Pricing and of Jensen, Kelly & Pedersen. */
  readonly osap: string;
  readonly jkp: string | null;
  /** How the definition of the paper differs from the expression. */
  readonly differs: string | null;
  readonly definition: string;
  readonly expression: string;
}

type Row = Readonly<Record<string, string>>;

function refuse({ code }: Row, field: string): never {
  throw new Error(`the claim ${code} has a wrong ${field}`);
}

function numberOf(row: Row, field: string, min: number, max: number): number {
  const value = Number(row[field]);
  return row[field] !== '' && value >= min && value <= max ? value : refuse(row, field);
}

function oneOf<T extends string>(row: Row, field: string, values: readonly T[]): T {
  return values.find((value) => value === row[field]) ?? refuse(row, field);
}

function cutsOf(row: Row): Claim['cuts'] {
  const [low, high] = row.cuts.split(' ').map(Number);
  if (row.cuts === 'classes') return row.cuts;
  if (high === undefined) return Number.isInteger(low) && low >= 2 ? low : refuse(row, 'cuts');
  return low > 0 && low < high && high < 1 ? [low, high] : refuse(row, 'cuts');
}

function sampleOf(row: Row): Claim['sample'] {
  const [start, end] = row.sample.split(' ').map(Number);
  return start > 1900 && start <= end && end <= Number(row.year) ? { start, end } : refuse(row, 'sample');
}

function claimOf(row: Row): Claim {
  const text = (field: string) => row[field] || refuse(row, field);
  return {
    code: text('code'),
    name: text('name'),
    authors: text('authors'),
    year: numberOf(row, 'year', 1900, 2100),
    journal: text('journal'),
    sample: sampleOf(row),
    sign: oneOf(row, 'sign', ['1', '-1']) === '1' ? 1 : -1,
    publishedPct: row.published === '' ? null : numberOf(row, 'published', 0, 10),
    publishedT: row.t === '' ? null : numberOf(row, 't', 0, 100),
    kind: oneOf(row, 'kind', ['return', 'alpha', 'slope', 'event']),
    weights: oneOf(row, 'weights', ['equal', 'value']),
    sort: text('sort'),
    stocks: text('stocks'),
    note: row.note || null,
    cuts: cutsOf(row),
    hold: numberOf(row, 'hold', 1, 36),
    every: numberOf(row, 'every', 1, 36),
    osap: text('osap'),
    jkp: row.jkp || null,
    differs: row.differs || null,
    definition: text('definition'),
    expression: text('expression'),
  };
}

/** Throws an Error that names the claim and the field. */
export function readClaims(table: string): readonly Claim[] {
  const [header, ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const codes = new Set<string>();
  return lines.map((cells) => {
    const row = Object.fromEntries(header.map((field, i) => [field, cells[i] ?? '']));
    if (cells.length !== header.length) refuse(row, 'number of fields');
    if (codes.has(row.code)) refuse(row, 'code: it is there twice');
    codes.add(row.code);
    return claimOf(row);
  });
}

export const CLAIMS = readClaims(CLAIM_TABLE);

/** Own columns that the value of a claim needs. */
export function columnsNeeded({ expression }: Claim): string[] {
  return [...new Set(Array.from(expression.matchAll(/\bmy\('(\w+)'/g), ([, name]) => name))];
}

const FIGURES: Readonly<Record<Claim['kind'], string | null>> = {
  return: null,
  alpha: 'alpha',
  slope: 't of a regression slope',
  event: 'event study over twelve months ÷ 12',
};

/** The cell of the paper that has the published figures. */
export function cellOf({ kind, sort, stocks, weights, note }: Claim): string {
  const classes = sort === 'none' ? stocks : `${sort} of ${stocks}, ${weights} weights`;
  return [classes, note ?? FIGURES[kind]].filter((part) => part !== null).join('; ');
}
