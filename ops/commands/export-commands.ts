/** `npm run ops -- export …`: writes market data to a local file, and lists the exports of administrators. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readTransaction } from '../../db/pool.ts';
import { type ExportRecord, selectExports } from '../../db/queue/exports.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import { toError } from '../../engine/util/errors.ts';
import { required } from '../../engine/util/values.ts';
import { EXPORT_ADJUSTMENTS, EXPORT_FORMATS, type ExportFormat, type ExportSpec } from '../../jobs/contracts/export.ts';
import { exportCutOff } from '../../jobs/export/enqueue.ts';
import { openExportFile } from '../../jobs/export/open-file.ts';
import {
  countOption,
  dayOption,
  fail,
  PERCENT_COLUMNS,
  progressBar,
  say,
  symbolsOption,
  tableOf,
  timeText,
  withTools,
} from './tools.ts';

interface RunOptions extends Pick<ExportSpec, 'start' | 'end' | 'adjust' | 'symbols'> {
  readonly out: string;
  readonly basis: ExportSpec['venue_mode'];
  readonly assetType?: string;
}

/** The format by the extension of a file name. */
function formatOf(file: string): ExportFormat | undefined {
  return EXPORT_FORMATS.toSorted((a, b) => b.length - a.length).find((format) => file.endsWith(`.${format}`));
}

function fileOption(file: string): string {
  if (formatOf(file)) return file;
  throw new InvalidArgumentError(`expected a name that ends in ${EXPORT_FORMATS.map((f) => `.${f}`).join(', ')}`);
}

/** Writes the whole file or nothing; shows a progress bar on a terminal. */
async function run({ out, basis, assetType, ...range }: RunOptions): Promise<void> {
  await withTools(async ({ config, pool, now }) => {
    const format = required(formatOf(out), 'the format');
    const spec: ExportSpec = { ...range, asset_type: assetType, venue_mode: basis, format };
    const through = exportCutOff(now(), config.DISTRIBUTION_MODE);
    const bar = progressBar('  {percentage}% {bar}', PERCENT_COLUMNS);
    if (process.stderr.isTTY) bar.start(100, 0);
    const temporary = `${out}.part`;
    try {
      const totals = await readTransaction(pool, async (connection) => {
        const file = openExportFile(connection, spec, through, async (share) => bar.update(Math.floor(100 * share)));
        await pipeline(file.content, createWriteStream(temporary));
        return file.totals();
      });
      await rename(temporary, out);
      bar.stop();
      say(`${out}: ${totals.rows.toLocaleString('en')} rows, ${totals.bytes.toLocaleString('en')} bytes`);
      say(`sha256 ${totals.checksum}`);
    } catch (error) {
      bar.stop();
      await rm(temporary, { force: true });
      fail(`the export failed: ${toError(error).message}`);
    }
  });
}

function rowOf({ id, status, email, rows, bytes, error, createdAt, progressPct }: ExportRecord) {
  const outcome = {
    pending: '',
    running: `${Math.floor(progressPct)} %`,
    done: `${rows?.toLocaleString('en')} rows, ${bytes?.toLocaleString('en')} bytes`,
    failed: error,
  }[status];
  return [id, timeText(createdAt), email, status, outcome];
}

export function addExportCommands(program: Command): void {
  const group = program.command('export').description('Market data in files');
  group
    .command('run')
    .description('Write daily bars to a file: .csv, .csv.gz, or .parquet')
    .requiredOption('--out <file>', 'file to write', fileOption)
    .requiredOption('--start <day>', 'first day, YYYY-MM-DD', dayOption)
    .requiredOption('--end <day>', 'last day, YYYY-MM-DD', dayOption)
    .option('--symbols <list>', 'only these symbols, separated by commas', symbolsOption)
    .option('--asset-type <type>', 'only this asset type')
    .addOption(new Option('--basis <basis>', 'venue basis').choices([...VENUE_BASES]).default('consolidated'))
    .addOption(new Option('--adjust <adjust>', 'prices').choices([...EXPORT_ADJUSTMENTS]).default('none'))
    .action(run);
  group
    .command('list')
    .description('List the latest exports of administrators')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(({ limit }: { limit: number }) =>
      withTools(async ({ pool }) => {
        const { items } = await selectExports(pool, {}, { page: 1, size: limit });
        if (items.length === 0) return say('no export has been requested yet');
        say(tableOf(['id', 'created (UTC)', 'requested by', 'status', 'outcome'], items.map(rowOf)));
      }),
    );
}
