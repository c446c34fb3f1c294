/** `npm run ops -- compare …`: compares the loaded bars with those of another provider. */
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { countConnectedProcesses } from '../../db/connection-counts.ts';
import {
  type Comparison,
  type ComparisonResult,
  type ComparisonSpec,
  selectComparison,
  selectComparisons,
} from '../../db/market/comparisons.ts';
import type { BarDifference } from '../../db/market/other-bars.ts';
import { VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { describeComparison } from '../../jobs/compare/describe.ts';
import { enqueueComparison } from '../../jobs/compare/enqueue.ts';
import { DEFAULT_TOLERANCES } from '../../jobs/contracts/compare.ts';
import { PROVIDER_IDS, type ProviderId } from '../../jobs/providers/providers.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { storageSettings } from '../settings.ts';
import { type Act, act } from './audited-command.ts';
import {
  countOption,
  dayOption,
  fail,
  idArgument,
  PERCENT_COLUMNS,
  progressBar,
  say,
  type Tools,
  tableOf,
  timeText,
  withTools,
} from './tools.ts';

const POLL_MS = 200;

interface RunOptions {
  readonly basis: VenueBasis;
  readonly against: ProviderId;
  readonly folder?: string | null;
  readonly start: string;
  readonly end: string;
  readonly tolerance: number;
  readonly volumeTolerance: number;
  readonly limit: number;
  readonly wait: boolean;
}

function percentOption(text: string): number {
  const percent = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && percent <= 100) return percent;
  throw new InvalidArgumentError('expected a percentage from 0 to 100');
}

async function run({ basis, against, folder = null, start, end, ...options }: RunOptions): Promise<void> {
  if (start > end) return fail(`the range ends (${end}) before it starts (${start})`);
  const { tolerance: tolerancePct, volumeTolerance: volumeTolerancePct } = options;
  const spec: ComparisonSpec = { venueBasis: basis, against, folder, start, end, tolerancePct, volumeTolerancePct };
  await withTools(async (tools) => {
    const what: Act = { action: 'market.compare', target: 'market', targetId: null, details: { request: { ...spec } } };
    const id = await act(tools, what, (connection, boss, { actor, at }) =>
      enqueueComparison(connection, boss, spec, { by: actor, at }),
    );
    if (id === null) return;
    say(`comparison ${id} queued`);
    if (!options.wait) return;
    if ((await countConnectedProcesses(tools.pool)).worker === 0)
      return fail('no worker is connected to the database; start one with "npm run worker" or "npm start"');
    show(await follow(tools, id), options.limit);
  });
}

/** Shows the progress until the comparison has ended. */
async function follow({ pool }: Tools, id: number): Promise<Comparison | null> {
  const bar = progressBar('  {percentage}% {bar}', PERCENT_COLUMNS);
  const start = () => process.stderr.isTTY && bar.start(100, 0);
  let shownError: string | null = null;
  start();
  try {
    for (;;) {
      const comparison = await selectComparison(pool, id);
      if (!comparison || !['queued', 'running'].includes(comparison.status)) return comparison;
      if (comparison.error !== null && comparison.error !== shownError) {
        shownError = comparison.error;
        bar.stop();
        process.stderr.write(`  retried after a failure: ${shownError}\n`);
        start();
      }
      bar.update(Math.floor(comparison.progressPct));
      await sleep(POLL_MS);
    }
  } finally {
    bar.stop();
  }
}

function show(comparison: Comparison | null, limit: number): void {
  if (!comparison) fail('there is no such comparison');
  else if (comparison.result) say(reportOf(comparison, comparison.result, limit));
  else if (comparison.status === 'queued' || comparison.status === 'running') say(describeUnfinished(comparison));
  else fail(`comparison ${comparison.id} ${comparison.status}: ${comparison.error ?? 'no reason is known'}`);
}

function describeUnfinished({ id, status, progressPct, queueJobId }: Comparison): string {
  const cancel = `npm run ops -- jobs cancel compare ${queueJobId}`;
  return `comparison ${id}: ${status}, ${Math.floor(progressPct)} %; "${cancel}" ends it`;
}

function reportOf(comparison: Comparison, result: ComparisonResult, limit: number): string {
  const table = result.largest.length > 0 ? ['', differenceTable(result, limit)] : [];
  const file = `Every difference: npm run ops -- compare show ${comparison.id} --out differences.parquet`;
  return [...describeComparison(comparison, result), ...table, '', file].join('\n');
}

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** The largest differences by symbol and day, with both values of the price that differs most. */
function differenceTable({ largest }: ComparisonResult, limit: number): string {
  const rows = largest.slice(0, limit).map((found) => {
    const [name, here, there] = worstPrice(found);
    const percent = (value: number | null) => (value === null ? null : value.toFixed(3));
    return [
      found.symbol,
      found.date,
      name,
      here,
      there,
      percent(found.pricePct),
      found.volume,
      found.otherVolume,
      percent(found.volumePct),
    ];
  });
  return tableOf(['symbol', 'date', 'price', 'here', 'there', '%', 'volume', 'there', '%'], rows);
}

function worstPrice(found: BarDifference): readonly [string, number | null, number | null] {
  const others = { open: found.otherOpen, high: found.otherHigh, low: found.otherLow, close: found.otherClose };
  const distance = (name: (typeof PRICES)[number]) => Math.abs((others[name] ?? 0) / (found[name] ?? 1) - 1);
  const worst = PRICES.reduce((a, b) => (distance(b) > distance(a) ? b : a));
  return [worst, found[worst], others[worst]];
}

interface ShowOptions {
  readonly out?: string;
  readonly limit: number;
}

async function showOne(id: number | undefined, { out, limit }: ShowOptions): Promise<void> {
  await withTools(async ({ pool, config }) => {
    const comparison =
      id === undefined
        ? ((await selectComparisons(pool, { page: 1, size: 1 })).items[0] ?? null)
        : await selectComparison(pool, id);
    if (!comparison) return fail(id === undefined ? 'nothing has been compared yet' : `there is no comparison ${id}`);
    if (out === undefined) return show(comparison, limit);
    const content = comparison.result && (await openStorage(storageSettings(config)).get(comparison.result.file.key));
    if (!content) return fail(`comparison ${comparison.id} has no file (status ${comparison.status})`);
    await pipeline(content, createWriteStream(`${out}.part`));
    await rename(`${out}.part`, out);
    say(
      `${out}: ${comparison.result?.file.bytes.toLocaleString('en')} bytes, sha256 ${comparison.result?.file.sha256}`,
    );
  });
}

async function list({ limit }: { readonly limit: number }): Promise<void> {
  await withTools(async ({ pool }) => {
    const { items: all } = await selectComparisons(pool, { page: 1, size: limit });
    if (all.length === 0) return say('nothing has been compared yet');
    const rows = all.map(({ id, requestedAt, requestedBy, venueBasis, against, start, end, status, result, error }) => {
      const outcome = result
        ? `${result.differences.differs.toLocaleString('en')} of ${result.compared.toLocaleString('en')} bars differ`
        : error;
      return [id, timeText(requestedAt), requestedBy, venueBasis, against, start, end, status, outcome];
    });
    say(tableOf(['id', 'requested (UTC)', 'by', 'basis', 'against', 'start', 'end', 'status', 'outcome'], rows));
  });
}

export function addCompareCommand(program: Command): void {
  const compare = program.command('compare').description('Compare the loaded bars with those of another provider');
  compare
    .command('run', { isDefault: true })
    .description('Queue a comparison, follow it, and show the largest differences')
    .addOption(new Option('--basis <basis>', 'venue basis').choices([...VENUE_BASES]).default('consolidated'))
    .addOption(new Option('--against <provider>', 'the other provider').choices(PROVIDER_IDS).makeOptionMandatory())
    .option('--folder <dir>', 'its folder (files), if it is not PROVIDER_DIR')
    .requiredOption('--start <day>', 'first day, YYYY-MM-DD', dayOption)
    .requiredOption('--end <day>', 'last day, YYYY-MM-DD', dayOption)
    .option('--tolerance <percent>', 'prices may differ by this much', percentOption, DEFAULT_TOLERANCES.pricePct)
    .option(
      '--volume-tolerance <percent>',
      'volumes may differ by this much',
      percentOption,
      DEFAULT_TOLERANCES.volumePct,
    )
    .option('--limit <n>', 'differences to show', countOption, 20)
    .option('--no-wait', 'do not follow the job')
    .action(run);
  compare
    .command('show')
    .description('Show a comparison, or the newest one, or write its differences to a Parquet file')
    .argument('[id]', 'id of the comparison', idArgument)
    .option('--out <file>', 'write every difference to this file')
    .option('--limit <n>', 'differences to show', countOption, 20)
    .action(showOne);
  compare
    .command('list')
    .description('List the latest comparisons')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(list);
}
