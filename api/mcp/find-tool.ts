/** The tool that finds instruments, and the words that other tools take. */
import { RULE_FUNCTIONS, usageOf } from '../../engine/rules/functions/catalogue.ts';
import { COMPARISONS } from '../../engine/screener/comparisons.ts';
import { FIELDS } from '../../engine/screener/fields.ts';
import { PRESETS } from '../../engine/screener/presets.ts';
import { z } from '../http/input/fields.ts';
import { type Data, isData, pick } from './data.ts';
import { SECTIONS } from './docs.ts';
import { beginningOf } from './fit.ts';
import { defineTool, type ToolContext } from './operations.ts';

const PLACES = ['symbols', 'fields', 'functions', 'strategies', 'docs', 'columns', 'runs', 'claims'] as const;
type Place = (typeof PLACES)[number];

const MAX_SYMBOLS = 20;
const PAGE = 20;
/** Tokens of a section that one answer has. */
const PART = 1_200;

type Found = readonly Data[];
/** The strategy whose rules the caller writes. */
const RULES = {
  code: 'rules',
  description:
    'Your own: rules {entry, exit?, stop?, trail?}, such as entry "close > highest(55)"; docs has the language',
};

const itemsOf = (page: Data): Data[] => (Array.isArray(page.items) ? page.items.filter(isData) : []);

async function symbols(query: string, { call }: ToolContext): Promise<Found> {
  const page = await call('searchSymbols', { query: { q: query, limit: MAX_SYMBOLS } });
  return itemsOf(page).map((item) =>
    pick(item, 'symbol', 'name', 'asset_type', 'listed_on', ...(item.is_delisted ? ['delisted_on'] : [])),
  );
}

async function strategies(query: string, { call }: ToolContext): Promise<Found> {
  const { strategies } = await call('listStrategies', {});
  const known: Data[] = [...strategies, RULES];
  const one = known.find(({ code }) => code === query);
  if (one === undefined || one === RULES) return known.map((each) => pick(each, 'code', 'description'));
  const schema = isData(one.params_schema) && isData(one.params_schema.properties) ? one.params_schema.properties : {};
  const parameters = Object.entries(schema).map(([name, field]) => [
    name,
    isData(field) ? pick(field, 'title', 'type', 'enum', 'minimum', 'maximum', 'default') : {},
  ]);
  return [{ ...pick(one, 'code', 'description', 'rules'), parameters: Object.fromEntries(parameters) }];
}

const FUNCTIONS = RULE_FUNCTIONS.map((fn) => ({ usage: usageOf(fn), is: fn.description.en }));
const WORDS = [
  ...FIELDS.map(({ code, unit, defaultPeriod, description }) => ({
    field: code,
    unit,
    ...(defaultPeriod === null ? {} : { period: defaultPeriod }),
    is: description.en,
  })),
  { operators: COMPARISONS.map(({ code }) => code) },
  ...PRESETS.map(({ code, description }) => ({ preset: code, is: description.en })),
];

/** A section by its heading, else those that have the words. */
function docs(query: string, offset: number): Found {
  const wanted = query.toLowerCase();
  const heading = [...SECTIONS.keys()].find((one) => one.toLowerCase() === wanted);
  if (heading === undefined) {
    const words = wanted.split(/\s+/);
    return [...SECTIONS]
      .filter(([name, text]) => words.every((word) => `${name} ${text}`.toLowerCase().includes(word)))
      .map(([name]) => ({ heading: name }));
  }
  const text = SECTIONS.get(heading) ?? '';
  const part = beginningOf(text.slice(offset), PART);
  const next = offset + part.length;
  return [{ heading, text: part, ...(next < text.length ? { next_offset: next } : {}) }];
}

async function runs(query: string, { call }: ToolContext): Promise<Found> {
  const page = await call('listBacktests', { query: { q: query || undefined, page_size: PAGE } });
  return itemsOf(page).map((one) =>
    pick(one, 'id', 'kind', 'symbol', 'strategy', 'name', 'start_date', 'end_date', 'total_pnl_pct', 'sharpe'),
  );
}

async function columns({ call }: ToolContext): Promise<Found> {
  const names = ['name', 'owner', 'kind', 'rows', 'symbols', 'first_day', 'last_day'];
  return itemsOf(await call('listColumns', {})).map((column) => pick(column, ...names));
}

/** Published predictors: in percent a month what was published, and what this market gives. */
async function claims({ call }: ToolContext): Promise<Found> {
  return itemsOf(await call('listClaims', {})).map(({ code, published, newest }) => {
    const [first] = isData(newest) && Array.isArray(newest.rows) ? newest.rows : [];
    return {
      code,
      ...(isData(published) ? { published_pct: published.monthly_pct } : {}),
      ...(isData(first) ? { ours_pct: first.mean_pct, interval_90_pct: first.interval_pct } : {}),
      ...(isData(newest) ? pick(newest, 'words') : {}),
    };
  });
}

const hasWords = (words: readonly string[]) => (item: Data) => {
  const text = JSON.stringify(item).toLowerCase();
  return words.every((word) => text.includes(word));
};

async function lookUp(place: Place, query: string, offset: number, context: ToolContext): Promise<Found> {
  const matching = (items: Found) => items.filter(hasWords(query.toLowerCase().split(/\s+/)));
  const found = {
    symbols: () => symbols(query, context),
    fields: () => matching(WORDS),
    functions: () => matching(FUNCTIONS),
    strategies: () => strategies(query, context),
    docs: () => docs(query, offset),
    columns: async () => matching(await columns(context)),
    runs: () => runs(query, context),
    claims: async () => matching(await claims(context)),
  };
  return found[place]();
}

export const find = defineTool({
  name: 'find',
  description:
    'Finds symbols (ticker, former ones too, or name), screener fields, functions of rules, strategies (by code: parameters), docs (by ' +
    'words, then by heading: text), own columns, kept runs, published claims.',
  inputSchema: z.object({
    in: z.enum(PLACES),
    query: z.string().max(200).default(''),
    offset: z.number().int().min(0).default(0),
  }),
  outputSchema: z.looseObject({ total: z.number(), items: z.array(z.looseObject({})) }),
  isReadOnly: true,
  run: async ({ in: place, query, offset }, context) => {
    const found = await lookUp(place, query, offset, context);
    const skipped = place === 'docs' && found.some(({ text }) => text !== undefined) ? 0 : offset;
    return { total: found.length, items: found.slice(skipped, skipped + 2 * PAGE) };
  },
});
