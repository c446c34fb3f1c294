/** Ready-made screens with their histories, for everybody: each history is computed once for a snapshot. */
import { setTimeout as wait } from 'node:timers/promises';
import { ruleOfAll } from '../../engine/screener/field-rules.ts';
import { requirePreset } from '../../engine/screener/presets.ts';
import { type ScreenHistory, type ScreenSpec, screenResultSchema } from '../../jobs/contracts/screen.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { z } from '../http/input/fields.ts';
import { serviceRun } from '../runs/service-run.ts';
import type { LoadedSnapshot } from './read-snapshot.ts';
import { readScreen, screenerBody } from './request.ts';
import { OF_SNAPSHOT, wholeHistoriesOf } from './rule-source.ts';
import { requireFreshSnapshot, screenOver } from './run-screen.ts';
import type { screenerSchema } from './schemas.ts';
import type { Services } from './services.ts';

/** Figures that a ready-made screen is shown with. */
const EXAMPLE_COLUMNS = {
  month: 'roc(20)',
  year: 'roc(252)',
  distance: '100 * (close / sma(200) - 1)',
  rsi: 'rsi(14)',
  volatility: 'volatility(60)',
};
const EXAMPLE_CLOSES = 60;

/** A ready-made screen written as a rule, with its history. */
function exampleBody(code: string): z.output<typeof screenerBody> {
  const {
    conditions,
    sort: { field, period, order },
  } = requirePreset(code);
  return screenerBody.parse({
    where: ruleOfAll(conditions) ?? undefined,
    sort: { field, order, ...(period === null ? {} : { period }) },
    columns: EXAMPLE_COLUMNS,
    condition_columns: true,
    closes: EXAMPLE_CLOSES,
    history: {},
  });
}

/** A call waits for this long, and is then answered without the history. */
const WAIT_MS = 2_000;

const histories = new WeakMap<LoadedSnapshot, Map<string, Promise<ScreenHistory | null>>>();

export async function exampleScreen(
  services: Services,
  context: RequestContext,
  preset: string,
): Promise<z.input<typeof screenerSchema>> {
  const { snapshots, market } = services;
  const loaded = requireFreshSnapshot(snapshots, market);
  const screen = exampleBody(preset);
  const request = readScreen(screen, market.directory);
  const { asOf } = loaded.record;
  const spec: ScreenSpec = { asOf, isPast: false, load: null, screen, ...wholeHistoriesOf(request) };
  const history = await Promise.race([historyOf(services, context, loaded, preset, spec), wait(WAIT_MS, null)]);
  return screenOver(loaded, market, request, { locale: context.locale, asOf: null, rules: OF_SNAPSHOT, history });
}

/** Null if it could not be computed; the next call tries again. */
function historyOf(
  services: Services,
  context: RequestContext,
  loaded: LoadedSnapshot,
  preset: string,
  spec: ScreenSpec,
): Promise<ScreenHistory | null> {
  const ofSnapshot = histories.get(loaded) ?? new Map<string, Promise<ScreenHistory | null>>();
  histories.set(loaded, ofSnapshot);
  const known = ofSnapshot.get(preset);
  if (known !== undefined) return known;
  const computed = historyByRun(services, context, `${loaded.record.id} ${preset}`, spec);
  ofSnapshot.set(preset, computed);
  const forget = () => ofSnapshot.delete(preset);
  computed.then((history) => history === null && forget(), forget);
  return computed;
}

async function historyByRun(
  services: Services,
  context: RequestContext,
  name: string,
  spec: ScreenSpec,
): Promise<ScreenHistory | null> {
  const run = await serviceRun(services, context, name, { kind: 'screen', spec });
  return run && screenResultSchema.parse(JSON.parse(run.result.summary)).history;
}
