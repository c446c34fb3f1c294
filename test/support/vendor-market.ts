/** One invented market, as vendors of histories have it and as files in our own layout. */
import { inventBars, type WrittenBar } from './file-layouts.ts';
import type { VendorInstrument } from './history-server.ts';
import { BARS_HEADER } from './market-folder.ts';

const TYPES = {
  stock: { tiingo: 'Stock', eodhd: 'Common Stock' },
  etf: { tiingo: 'ETF', eodhd: 'ETF' },
} as const;
const ALL = inventBars(['SPY', 'AAPL', 'BRK.B', 'GONE']);
const of = (symbol: string, last = '2024-08-16'): WrittenBar[] =>
  ALL.filter((bar) => bar.symbol === symbol && bar.date <= last);

/** A split, a dividend on the same day and on another one, an instrument of two classes, a delisted one. */
export const VENDOR_MARKET: readonly VendorInstrument[] = [
  { symbol: 'SPY', name: 'SPY Trust', type: TYPES.etf, venue: 'NYSE ARCA', bars: of('SPY') },
  {
    symbol: 'AAPL',
    name: 'Apple, Inc.',
    type: TYPES.stock,
    venue: 'NASDAQ',
    bars: of('AAPL'),
    events: [
      { date: '2024-07-12', dividend: 0.24 },
      { date: '2024-07-24', split: 4 },
      { date: '2024-08-05', split: 0.1, dividend: 0.12 },
    ],
  },
  { symbol: 'BRK-B', name: 'Berkshire', type: TYPES.stock, venue: 'NYSE', bars: of('BRK.B') },
  {
    symbol: 'GONE',
    name: 'Gone Co',
    type: TYPES.stock,
    venue: 'NYSE MKT',
    isDelisted: true,
    bars: of('GONE', '2024-07-26'),
  },
];

const OWN_SYMBOLS = `symbol,name,asset_type,primary_venue,currency,delisted_on
SPY,SPY Trust,etf,NYSEARCA,USD,
AAPL,"Apple, Inc.",stock,NASDAQ,USD,
BRK.B,Berkshire,stock,NYSE,USD,
GONE,Gone Co,stock,NYSEAMERICAN,USD,2024-07-26
`;

/** The same market in our own layout; amounts are factors of the close before. */
export function ownFiles(): Record<string, string> {
  const rows = VENDOR_MARKET.flatMap(({ bars }) =>
    bars.map(({ symbol, date, open, high, low, close, volume }) =>
      [symbol, date, open, high, low, close, volume].join(','),
    ),
  );
  const events = VENDOR_MARKET.flatMap(({ symbol, bars, events: own = [] }) =>
    own.flatMap(({ date, dividend, split }) => {
      const before = bars.findLast((bar) => bar.date < date)?.close ?? Number.NaN;
      const kind = (split ?? 1) > 1 ? 'split' : 'reverse_split';
      return [
        ...(split ? [`${symbol},${date},${kind},${1 / split}`] : []),
        ...(dividend ? [`${symbol},${date},cash_dividend,${1 - dividend / (before / (split ?? 1))}`] : []),
      ];
    }),
  );
  return {
    'symbols.csv': OWN_SYMBOLS,
    'adjustments.csv': `symbol,ex_date,kind,factor\n${events.join('\n')}\n`,
    'daily/consolidated/all.csv': `${BARS_HEADER}${rows.join('\n')}\n`,
  };
}
