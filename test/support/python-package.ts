/** Tests of the Python client as a wheel. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../engine/util/values.ts';
import { type ClientService, openClientService, sealEarlierOf } from './client-service.ts';
import { DESCRIPTION } from './description.ts';
import type { PythonClient } from './python-client.ts';

const here = (name: string) => fileURLToPath(new URL(`../api/clients/${name}`, import.meta.url));

const TYPES = {
  pandas: ['datetime64[ns]', 'float64', 'float64', 'float64', 'float64', 'int64'],
  polars: ['Date', 'Float64', 'Float64', 'Float64', 'Float64', 'Int64'],
  pyarrow: ['date32[day]', 'double', 'double', 'double', 'double', 'int64'],
};

const COLUMNS = ['fast_period', 'slow_period'];
/** The answer of `conduct.py` for each of the two clients. */
const CONDUCT = {
  plan: ['the plan cuts the range of ACRX.US, BRVA.US, which begins at 2026-05-27'],
  unknown: ['Unknown symbol: ZZZZ.US.'],
  'no column': ['the frame has no column for ZZZZ.US'],
  sql: ['the answer ends at its limit of 2 rows; `limit` takes up to 100,000'],
  quiet: [],
  days: Array.from({ length: 5 }, () => '2026-05-04'),
  run: ['2026-01-05', '2026-05-04'],
  away: [expect.stringMatching(/^GET \/v1\/quote\/ACRX: nothing answers at http:\/\/127\.0\.0\.1:PORT \(.+\)$/), true],
  addresses: [
    'url: "127.0.0.1:3000" is not an address; did you mean "http://127.0.0.1:3000"?',
    'url: "localhost:3000" is not an address; did you mean "http://localhost:3000"?',
    'url: "ftp://market" is not an address',
    'url: "http://" is not an address',
  ],
  search: ['Optimization', 4, [...COLUMNS, expect.any(String)], 4],
  windows: ['train_start', 'train_end', 'test_start', 'test_end'],
  equity: ['ts', true],
  sweep: ['Sweep', 4, 2, expect.arrayContaining(['symbol', 'strategy', 'fast_period', 'sharpe'])],
  pictures: [true, true, true],
  html: Array.from({ length: 3 }, () => '<table</svg>'),
  completion: [true, true, true],
};

/** The request that the options of a method are of, and its fields that are arguments of their own. */
const OPTIONS_OF: Readonly<Record<string, { readonly path: string; readonly own?: readonly string[] }>> = {
  BacktestOptions: { path: '/v1/backtest', own: ['symbol', 'strategy'] },
  PortfolioOptions: {
    path: '/v1/portfolio',
    own: ['symbols', 'strategy', 'universe', 'rotation', 'cash_buffer_pct', 'survivors', 'compare'],
  },
  RotationOptions: {
    path: '/v1/portfolio',
    own: ['universe', 'rotation', 'symbols', 'screen', 'skip_unknown', 'strategy', 'allocation', 'compare'],
  },
  HoldOptions: {
    path: '/v1/portfolio',
    own: [
      ...['universe', 'rotation', 'cash_buffer_pct', 'survivors', 'symbols', 'screen', 'skip_unknown', 'strategy'],
      ...['rules', 'params', 'allocation', 'compare'],
    ],
  },
  OptimizationOptions: { path: '/v1/optimize', own: ['symbol', 'strategy', 'grid'] },
  SweepOptions: { path: '/v1/sweeps' },
  FactorOptions: { path: '/v1/factors', own: ['universe', 'factors'] },
  OutcomeOptions: { path: '/v1/outcomes', own: ['condition', 'for', 'universe'] },
  JudgeOptions: { path: '/v1/judge' },
  ScreenOptions: { path: '/v1/screener', own: ['preset'] },
};

const description = JSON.parse(DESCRIPTION);

/** The fields of the body of a POST in the interface description; where that is a file, those of its query. */
function fieldsOf(path: string): string[] {
  const { parameters, requestBody } = description.paths[path].post;
  const { schema } = requestBody.content['application/json'] ?? {};
  if (schema === undefined) return namesOf(parameters).filter((name) => name !== 'lang');
  const named = schema.$ref ? description.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  return Object.keys(named.properties);
}

const namesOf = (parameters: readonly { readonly name: string }[]) => parameters.map(({ name }) => name);

/** Tests it with one version of Python. Null: that is not here. */
export function describePackage(name: string, client: PythonClient | null): void {
  let service: ClientService;
  let env: Readonly<Record<string, string>>;

  (client ? describe : describe.skip)(`with ${name}`, () => {
    const run: PythonClient['run'] = (...words) => required(client).run(...words);

    beforeAll(async () => {
      service = await openClientService();
      env = { MARKET_API_URL: service.url, MARKET_API_KEY: await service.addKey('enterprise') };
    });
    afterAll(() => service.close());

    it('is installed with its types, under its version', async () => {
      const code = `
import importlib.metadata as metadata, pathlib, market_data
print(metadata.version("market-data-client"), pathlib.Path(market_data.__file__).with_name("py.typed").exists())`;
      const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
      expect(await run(['-c', code])).toBe(`${version} True\n`);
    });

    it('tells what is wrong or cut, takes days and columns as programs have them, and returns searches as tables', async () => {
      const { answers, options } = JSON.parse(await run([here('conduct.py')], env));

      for (const answer of answers) expect(answer).toEqual(CONDUCT);
      for (const [name, { path, own = [] }] of Object.entries(OPTIONS_OF)) {
        const fields = fieldsOf(path).filter((field) => !own.includes(field));
        expect([name, options[name]]).toEqual([name, fields.sort()]);
      }
    });

    it('shows a bar in a terminal while a job takes long', async () => {
      await service.pause('backtest');
      const program = `from market_data import Client; Client().backtest("ACRX", "donchian", time_range="3Y", save=False)`;
      const terminal = `import pty, sys; pty.spawn([sys.executable, "-c", sys.argv[1]])`;
      const child = spawn(required(client).python, ['-c', terminal, program], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let shown = '';
      for await (const bytes of child.stdout) {
        if (!shown.includes('backtests queued') && `${shown}${bytes}`.includes('backtests queued')) {
          await service.resume('backtest');
        }
        shown += bytes;
      }
      expect(shown).toMatch(/backtests queued, 0:0\d/);
      // At the end the line is removed.
      expect(shown.endsWith('\r\x1b[K')).toBe(true);
      expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0);
    });

    it('writes columns from frames of pandas, polars, and pyarrow, from text, and from files', async () => {
      const answer = JSON.parse(await run([here('columns.py')], env));
      const layouts = { pandas: 'arrow', polars: 'arrow', pyarrow: 'arrow', text: 'csv', path: 'csv' };
      expect(answer).toMatchObject({ digests: 1, layouts, appended: 4, versions: 6, names: ['sector'], async: [1, 0] });
      expect(answer.column).toMatchObject({ name: 'sector', kind: 'label', rows: 3, symbols: 2 });
      expect(answer.rows).toMatchObject([
        { date: '2026-01-02', known_at: '2026-01-05T09:30:00-05:00', seen: '2026-01-05', value: 'Tech' },
        { date: '2026-02-02', known_at: '2026-02-03', seen: '2026-02-04', value: null },
      ]);
      expect(answer.errors).toEqual(['JobFailed', 'TypeError', 'error.column_refused']);
    });

    it('has records judged from frames of pandas, polars, and pyarrow, from text, and from files', async () => {
      const { different, layouts, streams, series, curve, fdr, detail, errors, ...answer } = JSON.parse(
        await run([here('judge.py')], env),
      );
      expect(different).toEqual([]);
      expect(layouts).toMatchObject({ pandas: 'arrow', 'with an index': 'arrow', polars: 'arrow', pyarrow: 'arrow' });
      expect(layouts).toMatchObject({ text: 'csv', bytes: 'csv', path: 'csv' });
      expect(streams).toEqual([['fund', 100]]);
      expect(series).toEqual([['fund'], 9, expect.arrayContaining(['no_benchmark', 'assumed'])]);
      expect([curve, fdr, detail]).toEqual([['equity', 'ACRX'], [0.1, 1, [true, true]], ['held']]);
      expect(errors).toEqual(['JobFailed', 'JobFailed', 'TypeError', 'InvalidRequest']);
      expect(answer.async).toBe(true);
    });

    it('makes the same frames of every result for pandas, polars, and pyarrow', async () => {
      await sealEarlierOf(service, env.MARKET_API_KEY);
      const { types, rows, study, outcomes, forward, judged, day, missing, html, unknown, verdict } = JSON.parse(
        await run([here('frames.py')], env),
      );
      expect(types).toEqual(TYPES);
      expect(rows).toMatchObject({ candles: 30, opens: 30, history: 30, symbols: 3, 'sql without rows': 0, sql: 38 });
      expect(day).toBe(true);
      const figures = ['sessions', 'mean', 'sd', 't', 't_overlap', 'positive_share'];
      expect(study).toEqual([
        ['factor', 'horizon', ...figures],
        [1, 21],
      ]);
      expect(rows).toMatchObject({ 'study ic': 4, 'study quantiles': 20, 'study turnover': 10, 'study top': 20 });
      const figure = 'Float64';
      expect(outcomes).toEqual([
        ['Int64', 'Int64', figure, figure, figure],
        [true, false, true, false, true, false],
        Array.from({ length: 3 }, () => expect.stringMatching(/^After \d+ hits on \d+ days, /)),
      ]);
      expect(rows).toMatchObject({
        'outcomes horizons': 3,
        'outcomes by': 6,
        'outcomes path': 81,
        'outcomes worst': 20,
      });
      expect(rows).toMatchObject({ 'alone horizons': 1, 'alone by': 0, 'alone path': 0, 'alone by_year': 2 });
      expect(forward.curve).toEqual(['Date', figure, figure, 'Null']);
      expect(forward.entries).toMatchObject({ number: 'Int64', ts: 'Date', kind: 'String', return: figure });
      expect(forward.verified.slice(0, 2)).toEqual([rows['forward entries'], rows['forward entries']]);
      expect(forward.verified[2]).toMatch(/^entry 2, of 20\d\d-\d\d-\d\d, is not that of its digest /);
      expect(rows).toMatchObject({ forward: 1, 'forward bands': 250, 'forward lowered_bands': 250 });
      expect(rows['forward curve']).toBe(250 + rows['forward entries']);
      expect(html.forward).toContain(forward.sentences[0]);
      expect(judged.types).toMatchObject({
        name: 'String',
        first: 'Date',
        last: 'Date',
        periods: 'Int64',
        fdr: figure,
      });
      expect(judged.types).toMatchObject({ sharpe: figure, skill_alpha_pct: figure });
      expect(judged.types).toMatchObject({ serial_psr: figure, serial_min_track_record: 'Int64' });
      expect(judged.short).toEqual([null, null, null]);
      expect(rows).toMatchObject({ judged: 2, short: 1 });
      expect(rows).toMatchObject({ 'sheet regression': 2, 'sheet bands': 60, 'sheet months': 12 + 1 });
      expect(verdict[0].length).toBeGreaterThan(3);
      expect(verdict[1]).toEqual(verdict[0]);
      expect(missing).toEqual(
        Object.keys(TYPES).map((kind) => `${kind} is not installed: pip install "market-data-client[${kind}]"`),
      );
      expect(unknown).toBe('"numpy" is not a kind of frame: use "pandas", "polars", or "pyarrow"');
      for (const shown of Object.values(html)) expect(shown).toMatch(/^<table>.*<tbody>.*<\/tbody><\/table>/);
      expect(html.candles).toMatch(/<caption[^>]*>ACRX\.US, day, adjust none, 30 rows<\/caption>/);
      expect(html.outcomes).toContain(outcomes[2][0]);
      for (const text of [...judged.sentences, ...judged.notes]) expect(html.judged).toContain(text);
      expect(html.backtest).toMatch(/<\/table><svg [\s\S]*<polyline [\s\S]*<\/svg>$/);
    });
  });
}
