/** The goals in force, and the rows of the bench compared with them: as a table for people, or as one object of numbers. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CALIBRATION_PATHS, calibrationOf } from '../calibration/calibration.ts';
import { CALIBRATION_RECORDS } from '../calibration/forward.ts';
import { CALIBRATION_CONDITIONS, calledOutcomes } from '../calibration/outcomes.ts';
import { type Figure, IS_QUICK } from './measure.ts';

/** A bound for a figure. */
export type Goal = `${'<' | '<=' | '>='} ${number}`;

/** A row without a goal is printed for comparison. */
export const GOALS: Readonly<Record<string, Goal>> = {
  'load.rate_vs_copy': '>= 1.1',
  'load.peak_rss_mb': '< 450',
  'files.generic_rate_vs_copy': '>= 0.6',
  'files.yahoo_rate_vs_copy': '>= 0.6',
  'files.stooq_rate_vs_copy': '>= 0.6',
  'files.tiingo_rate_vs_copy': '>= 0.6',
  'files.sharadar_rate_vs_copy': '>= 0.6',
  'files.databento_rate_vs_copy': '>= 0.6',
  'files.many_time_vs_one': '<= 2',
  'files.check_100_mb_s': '< 1',
  'columns.load_rows_s': '< 120',
  'columns.rotation_time_vs_without': '<= 1.3',
  'day_upsert.time_vs_copy': '<= 2',
  'day_upsert.again_time_vs_copy': '<= 2',
  'read.bars5000_time_vs_cheapest': '<= 2',
  'coverage.uncached_s': '< 3',
  'export.rate_vs_copy': '>= 0.85',
  'export.peak_rss_mb': '< 250',
  'lake.write_time_vs_copy': '<= 1.5',
  'lake.bytes_vs_csv_gz': '<= 0.8',
  'tables.commit_time_vs_write': '<= 1.1',
  'tables.symbol_bytes': '<= 0.02',
  'tables.plan_ms': '<= 100',
  'sql.time_vs_duckdb': '<= 1.3',
  'limiter.time_vs_select1': '<= 2',
  // Every route has a row `loop.METHOD PATH` with the same goal.
  'loop.longest': '< 50',
  'http.quote_rate_vs_floor': '>= 0.6',
  'http.quote_p99_vs_floor_p99': '<= 1.2',
  'http.kline250_rate_vs_floor': '>= 3',
  'trace.overhead_pct': '<= 2',
  'queue.roundtrip_time_vs_graphile': '<= 3',
  'queue.rate16_vs_graphile': '>= 1',
  'backtest.http_overhead_ms': '<= 8',
  'backtest.rate16_vs_graphile_noop': '>= 0.25',
  'backtest.default16_vs_compute': '>= 0.7',
  'backtest.default16_vs_backtesting_py': '>= 0.6',
  'backtest.bare16_vs_backtesting_py': '>= 1.5',
  'backtest.sheet16_vs_backtesting_py': '>= 0.3',
  'backtest.rate_2_workers_vs_1': '>= 1.8',
  'engine.sma_cross_time_vs_loop': '<= 1.5',
  'engine.chandelier_time_vs_loop': '<= 1.5',
  'rules.time_vs_builtin': '<= 1.5',
  'rules.largest_ms': '< 20',
  'statistics.backtest_ms': '<= 12',
  'statistics.search_s': '< 2',
  'statistics.pbo_s': '< 2',
  'statistics.cpcv_time_vs_search': '<= 3',
  'tear_sheet.ms': '<= 25',
  'calibration.none_1': '<= 0.06',
  'calibration.none_2': '<= 0.06',
  'calibration.none_10': '<= 0.06',
  'calibration.drift_1': '<= 0.06',
  'calibration.drift_2': '<= 0.06',
  'calibration.drift_10': '<= 0.06',
  'portfolio.time_vs_loop': '<= 1.5',
  'rotation.time_vs_loop': '<= 2',
  'rotation.market_s': '<= 4',
  'rotation.peak_rss_mb': '< 700',
  'factors.month_s': '<= 15',
  'factors.day_s': '<= 120',
  'factors.rate_vs_alphalens': '>= 20',
  'outcomes.market_s': '<= 3',
  'judge.s': '<= 3',
  'forward.append_s': '<= 60',
  'forward.inside_none': '>= 0.87',
  'forward.inside_drift': '>= 0.87',
  'impact.s': '<= 300',
  'outcomes.called_1': '<= 0.08',
  'outcomes.called_5': '<= 0.08',
  'outcomes.called_20': '<= 0.08',
  'sweep.time_vs_floor': '<= 2',
  'sweep.market_rate_vs_floor': '>= 0.8',
  'sweep.worker_peak_rss_mb': '< 500',
  'sweep.assembly_s': '<= 2',
  'sweep.two_workers_vs_one': '>= 1.8',
  'sweep.interactive_slowdown': '<= 2',
  'screener.time_vs_loop': '<= 2',
  'screener.rate_vs_duckdb': '>= 20',
  'screener.warm_vs_cold': '<= 0.1',
  'screener.longest_turn_ms': '< 50',
  'screener.snapshot_build_time_vs_copy': '<= 5',
  'screener.snapshot_load_s': '< 2',
  'asof.snapshot_s': '< 10',
  'site.first_page_kb': '< 120',
  'site.interactive_ms': '< 1000',
  'site.phone_home_ms': '<= 2500',
  'site.phone_chart_ms': '<= 2500',
  'site.docs_ms': '< 2500',
  'site.candles_ms': '< 200',
  'site.layout_shift': '<= 0.01',
  'growth.read_exponent': '<= 0.2',
  'growth.export_exponent': '<= 1.1',
  'growth.screen_exponent': '<= 1.1',
  'growth.queue_exponent': '<= 0.2',
  'growth.rotation_members_exponent': '<= 1.1',
  'growth.rotation_sessions_exponent': '<= 1.1',
  'start.cold_s': '< 15',
  'start.warm_s': '<= 2.5',
  'rest.rss_mb': '<= 550',
};

function goalOf(key: string): Goal | null {
  return GOALS[key.startsWith('loop.') ? 'loop.longest' : key] ?? null;
}

/** Rows in seconds and milliseconds, whose figures count times the speed of the machine where that was measured. */
const IS_TIME = /[._]m?s$/;

export function isMet(value: number, goal: Goal): boolean {
  const [relation, bound] = goal.split(' ');
  if (relation === '<') return value < Number(bound);
  if (relation === '<=') return value <= Number(bound);
  return value >= Number(bound);
}

/** By the names of their rows, `section.name`. */
export type Figures = ReadonlyMap<string, Figure>;

export function toObject(figures: Figures): Record<string, Record<string, number>> {
  const result: Record<string, Record<string, number>> = {};
  for (const [key, { value }] of figures) {
    const [section, name] = key.split('.');
    result[section] = { ...result[section], [name]: value };
  }
  return result;
}

const percent = (share: number) => `± ${Math.round(50 * share)} %`;

/** Formats the table. The noise column is half of the interquartile range of the rounds. */
export function toTable(figures: Figures): string {
  const row = (...[key, value, noise, goal, met, note]: string[]) =>
    `${key.padEnd(38)} ${value.padStart(8)} ${noise.padStart(7)}  ${goal.padEnd(7)} ${met.padEnd(4)}  ${note}\n`;
  const speed = figures.get('machine.speed')?.value ?? 1;
  const rows = [...figures].map(([key, { value, noise, note }]) => {
    const goal = goalOf(key);
    const counted = IS_TIME.test(key) ? value * speed : value;
    const met = goal === null ? '' : isMet(counted, goal) ? 'met' : 'MISS';
    return row(key, String(value), noise === null ? '' : percent(noise), goal ?? '', met, note);
  });
  return row('figure', 'value', 'noise', 'goal', '', 'how') + rows.join('');
}

/** Writes what the page of verdicts shows: the parts that were measured, in place of those that were. */
export async function recordCalibration(figures: Figures): Promise<void> {
  const [hasVerdicts, hasOutcomes] = [figures.has('calibration.none_1'), figures.has('outcomes.called_1')];
  const [none, drift] = ['none', 'drift'].map((truth) => figures.get(`forward.inside_${truth}`)?.value);
  const hasForward = none !== undefined && drift !== undefined;
  if (IS_QUICK || !(hasVerdicts || hasOutcomes || hasForward)) throw new Error('only a whole calibration is recorded');
  const [commit, date] = execFileSync('git', ['log', '-1', '--format=%h %cs'], { encoding: 'utf8' }).trim().split(' ');
  const path = fileURLToPath(new URL('../../../api/site/calibration.json', import.meta.url));
  const conditions = CALIBRATION_CONDITIONS;
  const recorded = {
    ...JSON.parse(readFileSync(path, 'utf8')),
    ...(hasVerdicts && { date, commit, ...calibrationOf(CALIBRATION_PATHS) }),
    ...(hasForward && { forward: { date, commit, records: CALIBRATION_RECORDS, inside: { none, drift } } }),
    ...(hasOutcomes && { outcomes: { date, commit, conditions, called: await calledOutcomes(conditions) } }),
  };
  writeFileSync(path, `${JSON.stringify(recorded, null, 2)}\n`);
}
