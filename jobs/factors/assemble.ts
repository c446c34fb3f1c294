/** Puts the chunks of a factor study together: the correlations of factors, the choice among them, and the result. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { countTrials, insertTrials } from '../../db/runs/trials.ts';
import { selectChunks } from '../../db/sweeps/sweep-chunks.ts';
import type { Sweep, SweepEnd } from '../../db/sweeps/sweeps.ts';
import { choiceOf, shortestOf } from '../../engine/factors/choice.ts';
import { CLAIMS } from '../../engine/factors/claims/claims.ts';
import { correlationsOf } from '../../engine/factors/study.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { printExpression } from '../../engine/rules/print.ts';
import { jsonMembers } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { sweepCellsKey, sweepChunkKey, sweepResultKey } from '../../storage/keys.ts';
import { type FactorSpec, factorSpecSchema } from '../contracts/factors.ts';
import { universeView } from '../contracts/rotation.ts';
import { columnForm, seedOf, specDigest } from '../runs/receipt.ts';
import { trialsIn } from '../runs/trials.ts';
import type { AssemblyContext } from '../sweep/assemble.ts';
import { expressionOf, type FactorChunk, readFactors } from './chunk.ts';
import { choiceView, correlationView, withoutSeries } from './result.ts';
import { parquetSeries, seriesRows } from './series-parquet.ts';

/** Rows of series in the result; more are in the file alone. */
const MAX_SERIES_ROWS = 100_000;

export async function assembleFactors(context: AssemblyContext, sweep: Sweep): Promise<SweepEnd> {
  const { pool, storage, signal } = context;
  const { id, userId } = sweep;
  const spec = factorSpecSchema.parse(sweep.spec);
  const chunks: FactorChunk[] = [];
  for (const { seq, attempt } of await selectChunks(pool, id)) {
    signal.throwIfAborted();
    chunks.push(await readFactors(storage, sweepChunkKey({ userId, sweepId: id, seq, attempt })));
  }
  const [{ facts, sessions, market }] = chunks;
  const factors = chunks.flatMap((chunk) => chunk.factors).sort((a, b) => a.place - b.place);
  const names = spec.factors.map(({ name }) => name);
  const trials = trialsIn({ kind: 'factors' }, factorForms(spec));
  await insertTrials(pool, { userId, ...trials, account: null });
  const { count } = await countTrials(pool, { userId, search: trials.search });
  const horizon = spec.horizons[shortestOf(sessions, spec.horizons)];
  const seed = seedOf(specDigest(studyForm(spec)));
  const spreads = factors.map((factor) => factor.spreads);
  const choice = choiceOf(sessions, horizon, spreads, market, { trials: count, seed });
  const correlations = correlationsOf(factors.map(({ monthRanks }) => monthRanks));
  const head = { id, engine_version: ENGINE_VERSION, ...facts };
  const tail = {
    correlations: correlations.map((one) => correlationView(one, names)),
    selection: { ...choiceView(choice, names), seed },
  };
  const views = factors.map(({ view }) => view);
  const areShort = views.reduce((sum, view) => sum + seriesRows(view), 0) <= MAX_SERIES_ROWS;
  const shown = areShort ? views : views.map(withoutSeries);
  await storage.put(
    sweepResultKey(userId, id),
    Readable.from(textOf({ ...head, series_in_file: !areShort }, shown, tail)),
  );
  const hash = createHash('sha256');
  function* hashed() {
    for (const piece of parquetSeries(views)) {
      hash.update(piece);
      yield piece;
    }
  }
  const bytes = await storage.put(sweepCellsKey(userId, id), Readable.from(hashed()));
  const noteCodes = new Set(chunks.flatMap(({ notes }) => notes));
  return { bytes, sha256: hash.digest('hex'), noteCodes: [...noteCodes] };
}

/** The result as pieces of JSON text, a factor at a time. */
function* textOf(head: object, factors: readonly object[], tail: object): Generator<string> {
  yield `{${jsonMembers(head)},"factors":[`;
  for (const [i, factor] of factors.entries()) yield (i === 0 ? '' : ',') + JSON.stringify(factor);
  yield `],${jsonMembers(tail)}}`;
}

/** A study as it is digested: symbols and texts instead of what the database has for them. */
function studyForm(spec: FactorSpec): object {
  const {
    timeRange,
    start,
    end,
    adjust,
    columns,
    universe,
    where,
    factors,
    horizons,
    quantiles,
    every,
    delay,
    neutral,
    portfolio,
  } = spec;
  return {
    kind: 'factors',
    engine_version: ENGINE_VERSION,
    universe: universeView({ universe, texts: { where: where ?? undefined } }),
    factors,
    horizons,
    quantiles,
    every,
    delay,
    neutral,
    adjust,
    portfolio,
    columns: columns?.map(columnForm),
    time_range: start === null ? timeRange : null,
    start: start && formatDay(start),
    end: end && formatDay(end),
  };
}

const formOf = (value: string) => printExpression(expressionOf(value, 'value'));

/** The trials of an account: values, however they are written. A published claim as it stands is none. */
function factorForms({ factors }: FactorSpec): object[] {
  const published = new Set(CLAIMS.map(({ expression }) => formOf(expression)));
  const values = factors.map(({ value }) => formOf(value)).filter((value) => !published.has(value));
  return values.map((value) => ({ value }));
}
