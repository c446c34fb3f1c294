/** The view of adjusted bars, for readers that know views: prices on the share count of the newest bar. */
import { createHash } from 'node:crypto';
import { MARKET_NAMESPACE } from '../../jobs/contracts/lake.ts';

export const ADJUSTED_VIEW = 'daily_bars_adjusted';

const SPLIT = '(s.split_factor / b.split_factor)';
const SQL = `select b.symbol, b.date, b.open * ${SPLIT} as open, b.high * ${SPLIT} as high, b.low * ${SPLIT} as low,
  b.close * ${SPLIT} as close, b.volume / ${SPLIT} as volume,
  b.close * (s.total_factor / b.total_factor) as total_return_close, b.venue_mode
from ${MARKET_NAMESPACE}.daily_bars b join ${MARKET_NAMESPACE}.symbols s on s.symbol = b.symbol`;

const COLUMNS = {
  symbol: 'string',
  date: 'date',
  open: 'double',
  high: 'double',
  low: 'double',
  close: 'double',
  volume: 'double',
  total_return_close: 'double',
  venue_mode: 'string',
} as const;

/** Standard SQL, which all of these read alike. */
const DIALECTS = ['spark', 'trino', 'duckdb'] as const;

/** The view as the catalog describes views. `location`: where its metadata would be; `at` in Unix ms. */
export function adjustedView(location: string, at: number) {
  const digest = createHash('sha256').update(location).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return {
    'metadata-location': `${location}/metadata/v1.metadata.json`,
    metadata: {
      'view-uuid': [...parts, digest.slice(20, 32)].join('-'),
      'format-version': 1,
      location,
      'current-version-id': 1,
      versions: [
        {
          'version-id': 1,
          'timestamp-ms': at,
          'schema-id': 0,
          summary: {},
          'default-namespace': [MARKET_NAMESPACE],
          representations: DIALECTS.map((dialect) => ({ type: 'sql', sql: SQL, dialect })),
        },
      ],
      'version-log': [{ 'version-id': 1, 'timestamp-ms': at }],
      schemas: [
        {
          type: 'struct',
          'schema-id': 0,
          fields: Object.entries(COLUMNS).map(([name, type], i) => ({ id: i + 1, name, type, required: false })),
        },
      ],
      properties: {},
    },
    config: {},
  };
}
