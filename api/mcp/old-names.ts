/** Names of tools that version 0.3 listed. They answer for one version more, as the tools that took their place. */
import { type Data, given, pick, without } from './data.ts';

/** The tool and the input that an old call means. */
type Meant = readonly [tool: string, input: Data];

const RUN =
  (kind: string) =>
  (input: Data): Meant => ['run', { kind, spec: input }];

function rotation(input: Data): Meant {
  const { symbols, where, score, every = 'month', top = 10, weights, market_filter, ...range } = input;
  const universe = given({ ...(symbols === undefined ? { all: true } : { symbols }), where });
  const method = weights === undefined ? undefined : { method: weights };
  const rules = given({ every, score, market_filter, hold: { top }, weights: method });
  return ['run', { kind: 'rotation', spec: { ...range, universe, rotation: rules } }];
}

function factors({ factors: values, symbols, where, horizons = [21], ...range }: Data): Meant {
  if (typeof values !== 'object' || values === null) return ['find', { in: 'claims' }];
  const universe = given({ ...(symbols === undefined ? { all: true } : { symbols }), where });
  const named = Object.entries(values).map(([name, value]) => ({ name, value }));
  return ['run', { kind: 'factors', spec: { ...range, horizons, universe, factors: named } }];
}

export const OLD_NAMES: Readonly<Record<string, (input: Data) => Meant>> = {
  search_symbols: ({ query = '' }) => ['find', { in: 'symbols', query }],
  list_strategies: ({ code = '' }) => ['find', { in: 'strategies', query: code }],
  read_docs: ({ section }) => ['find', { in: 'docs', query: section === undefined ? '' : `API/${String(section)}` }],
  get_bars: ({ symbol, adjust, ...input }) => [
    'data',
    {
      candles: {
        ...pick(input, 'start', 'end', 'period', 'rows'),
        symbols: [symbol],
        adjust: adjust === 'qfq' ? 'split' : (adjust ?? 'none'),
      },
    },
  ],
  screen: (input) => ['data', { screen: input }],
  backtest: RUN('backtest'),
  optimize: RUN('optimize'),
  portfolio: RUN('portfolio'),
  outcomes: ({ symbols, ...spec }) => [
    'run',
    {
      kind: 'outcomes',
      spec: { time_range: '5Y', ...spec, ...(symbols === undefined ? {} : { universe: { symbols } }) },
    },
  ],
  rotation,
  factors,
  get_run: (input) => ['read', pick(input, 'kind', 'id')],
  tear_sheet: (input) => ['read', { ...input, part: 'tear_sheet' }],
  columns: (input) => {
    const { name, content } = input;
    if (content !== undefined) return ['run', { kind: 'column', spec: input }];
    return name === undefined
      ? ['find', { in: 'columns' }]
      : ['read', { kind: 'column', id: name, ...without(input, 'name') }];
  },
};
