/** The question what happened after a condition: as the API takes it, and in the addresses that ask it. */
import { symbolsIn, ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Outcomes, OutcomesCall } from '../types.ts';
import type { RunKind } from './kind.ts';
import { DEFAULT_RANGE, literal, literalsIn, type Settings } from './specification.ts';

/** A call, of which the API says what is wrong. */
export interface OutcomesBody
  extends Omit<OutcomesCall, 'horizons' | 'adjust' | 'time_range' | 'start' | 'end' | 'first' | 'save'> {
  readonly first?: boolean | { readonly sessions: unknown };
  readonly horizons?: readonly unknown[];
  readonly adjust?: string;
  readonly time_range?: string;
  readonly start?: string;
  readonly end?: string;
}

export const FIRST_QUESTION: OutcomesBody = {
  condition: 'crosses_above(sma(20), sma(50))',
  time_range: DEFAULT_RANGE,
};

/** Fields of one text each. */
const PLAIN = ['condition', 'entry', 'compare', 'by', 'adjust', 'time_range', 'start', 'end'] as const;

/** The address of the page that asks it. */
export const questionHref = (body: OutcomesBody) => `${OUTCOMES.page}?${queryOf(body)}`;

function queryOf({ universe, for: wanted, first, horizons, ...body }: OutcomesBody): string {
  const { symbols, asset_type: type, where } = universe ?? {};
  const named = {
    ...Object.fromEntries(PLAIN.map((name) => [name, body[name]])),
    for: wanted?.join(' '),
    universe: symbols ? 'symbols' : universe && (type ?? 'all'),
    symbols: symbols?.join(' '),
    where,
    first: typeof first === 'object' ? first.sessions : first,
    horizons: horizons?.join(','),
  };
  const given = Object.entries(named).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** The question of an address; null: it asks none. */
export function questionIn(address: Settings): OutcomesBody | null {
  const { condition, for: wanted = '', universe, symbols = '', where, first, horizons, start } = address;
  if (condition === undefined && wanted === '') return null;
  const members =
    universe === 'symbols' ? { symbols: symbolsIn(symbols) } : { all: true as const, ...typesIn(universe) };
  return {
    ...(start === undefined ? FIRST_QUESTION : { condition: FIRST_QUESTION.condition }),
    ...Object.fromEntries(PLAIN.flatMap((name) => (address[name] === undefined ? [] : [[name, address[name]]]))),
    ...(wanted !== '' && { for: symbolsIn(wanted) }),
    ...(universe !== undefined && { universe: { ...members, ...(where && { where }) } }),
    ...(first !== undefined && { first: firstIn(first) }),
    ...(horizons !== undefined && { horizons: literalsIn(horizons) }),
  };
}

/** `stock,etf` → two types; `all` → no choice of types. */
function typesIn(text = 'all') {
  const types = text.split(',');
  if (text === 'all') return {};
  return { asset_type: types.length === 1 ? text : types };
}

function firstIn(text: string) {
  const value = literal(text);
  return typeof value === 'boolean' ? value : { sessions: value };
}

/** The universe of a result as it is asked for. */
export function universeOf({ symbols, asset_type: types, where }: Outcomes['question']['universe']) {
  const [type, ...others] = types ?? [];
  const members = symbols ? { symbols } : { all: true as const, asset_type: others.length > 0 ? types : type };
  return { ...members, where };
}

/** The call that reproduces a result. */
function bodyOf({ question }: Outcomes): OutcomesBody {
  const { for: wanted, universe, by, time_range, start, end, ...asked } = question;
  return {
    ...asked,
    universe: universeOf(universe),
    ...(wanted && { for: wanted }),
    ...(by && { by }),
    ...(time_range && { time_range }),
    ...(start && { start }),
    ...(end && { end }),
  };
}

export const OUTCOMES: RunKind<OutcomesBody, Outcomes> = {
  page: '/outcomes',
  heading: t('page.outcomes'),
  sharedHeading: t('page.shared_outcomes'),
  needsKey: true,
  api: {
    run: '/v1/outcomes',
    kept: '/api/outcomes/{id}',
    share: '/api/outcomes/{id}/share',
    shared: '/api/outcomes/shared/{slug}',
    evidence: '/v1/outcomes/{id}',
    sheet: null,
  },
  subject: ({ question }) => question.for?.map(ticker).join(', ') ?? t('outcomes.for.all'),
  title: ({ question }) => `${t('page.outcomes')}: ${question.condition}`,
  idea: ({ question }) => `${t('page.outcomes')} · ${question.condition}`,
  bodyOf,
  queryOf,
};

/** A rule of a strategy as a condition: its parameters have their values. */
export function conditionOf(rule: string, values: Readonly<Record<string, unknown>>): string {
  return rule.replaceAll(/\$(\w+)/g, (word, name: string) => String(values[name.toLowerCase()] ?? word));
}

/** The values of parameters unless others are given. */
export function defaultsOf(parameters: Readonly<Record<string, { readonly default: number }>>): Record<string, number> {
  return Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, parameter.default]));
}
