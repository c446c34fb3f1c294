/** `npm run ops -- claims …`: published claims in the months of this market. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import Papa from 'papaparse';
import { claimsBody } from '../../api/factors/claim-schemas.ts';
import { claimsSpecOf } from '../../api/factors/claims.ts';
import { CLAIMS, type Claim } from '../../engine/factors/claims/claims.ts';
import { compareReturns } from '../../engine/factors/claims/compare.ts';
import { readableClaimColumns, runnableClaims } from '../../jobs/factors/claim-columns.ts';
import { computeClaims } from '../../jobs/factors/claims.ts';
import { readMarket } from './chunked-work.ts';
import { fail, say, withTools } from './tools.ts';

const MONTH = /^(\d{4})-?(\d{2})/;
const figure = (value: number | null) => (value === null ? '-' : value.toFixed(2));

/** Returns in percent by claim and month, from a table with a column of dates and one of each claim. */
function readReturns(file: string, isDecimal: boolean): Map<Claim, Map<string, number>> {
  const text = readFileSync(file, 'utf8');
  const { data, meta } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  const [dates, ...names] = meta.fields ?? [];
  const found = new Map<Claim, Map<string, number>>();
  for (const name of names) {
    const claim = CLAIMS.find(({ code, osap, jkp }) => [code, osap, jkp].includes(name));
    if (claim === undefined) continue;
    const returns = data.flatMap((row): [string, number][] => {
      const [, year, month] = MONTH.exec(row[dates]) ?? [];
      const value = row[name] === '' ? Number.NaN : Number(row[name]);
      return year === undefined || !Number.isFinite(value) ? [] : [[`${year}-${month}`, value * (isDecimal ? 100 : 1)]];
    });
    found.set(claim, new Map(returns));
  }
  return found;
}

async function compare(file: string, { unit }: { readonly unit: string }): Promise<void> {
  if (unit !== 'percent' && unit !== 'decimal') return fail('--unit is percent or decimal');
  const published = readReturns(file, unit === 'decimal');
  if (published.size === 0)
    return fail(`${file} has no column that is named as a claim is, by code or in a collection`);
  await withTools(async (tools) => {
    const market = await readMarket(tools);
    const columns = await readableClaimColumns(tools.pool, null);
    const runnable = runnableClaims(columns);
    const codes = [...published.keys()].map(({ code }) => code).filter((code) => runnable.includes(code));
    const spec = claimsSpecOf(market, claimsBody.parse({ time_range: 'MAX' }), codes, columns);
    const context = {
      pool: tools.pool,
      signal: new AbortController().signal,
      rotationBars: tools.config.ROTATION_BARS,
    };
    const { items } = await computeClaims(context, spec);
    say('claim                months  correlation  slope  ours %  theirs %');
    for (const { code, series } of items) {
      const ours = new Map(series.map(({ month, ls }) => [month, 100 * ls]));
      const claim = [...published.keys()].find((one) => one.code === code);
      const found = compareReturns(ours, (claim && published.get(claim)) ?? new Map());
      const cells = [found.correlation, found.slope, found.ours, found.theirs].map(figure);
      say([code.padEnd(20), String(found.months).padStart(6), ...cells.map((cell) => cell.padStart(9))].join(' '));
    }
    say('Correlation proves the arithmetic; the mean measures the universe.');
  });
}

export function addClaimCommands(program: Command): void {
  program
    .command('claims')
    .description('Published claims in the months of this market')
    .command('compare <csv>')
    .description('Compare with monthly returns that others have published: a column of dates, then one of each claim')
    .option('--unit <unit>', 'of the returns: percent or decimal', 'percent')
    .action(compare);
}
