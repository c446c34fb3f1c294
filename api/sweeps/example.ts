/** The finished sweep that its page opens with: small enough for one job, and of instruments that no figure has chosen. */
import { found } from '../../engine/util/errors.ts';
import { NOTE_CODES } from '../../jobs/runs/notes.ts';
import { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { NOTHING_OWN } from '../rules/resolve.ts';
import { exampleRun, MarketExample } from '../runs/service-run.ts';
import type { DoneRun } from '../runs/state.ts';
import type { ScreenCall, Services } from '../screener/services.ts';
import { sweepBody, sweepOf } from './request.ts';
import { requestOverride, sweepResultSchema } from './schemas.ts';
import { notesOf } from './view.ts';

type Request = z.input<typeof sweepBody>;

export const sweepExampleSchema = z
  .object({
    request: z.custom<Request>().meta({ description: 'The body that repeats it', override: requestOverride }),
    result: sweepResultSchema,
  })
  .meta({ id: 'SweepExample' });

const CHOICE: Omit<Request, 'universe'> = {
  runs: [
    { strategy: 'donchian', grid: { entry_period: [20, 40, 80], exit_period: [10, 20] } },
    { strategy: 'sma_cross', grid: { fast_period: [10, 20], slow_period: [50, 100, 200] } },
  ],
  time_range: '5Y',
  adjust: 'total',
  execute_on: 'next_open',
  cost: { slippage_bps: 5 },
};

/** The first so many by symbol. */
const MAX_INSTRUMENTS = 150;

interface Example {
  readonly request: Request;
  readonly run: DoneRun;
}

const EXAMPLE = new MarketExample<Services, Example>(async (call) => {
  const { market } = call.services;
  found(market.examples[0]);
  const symbols = market.directory.items.map(({ qualified }) => qualified).sort();
  const request: Request = { universe: { symbols: symbols.slice(0, MAX_INSTRUMENTS) }, ...CHOICE };
  const own = request.runs.map(() => NOTHING_OWN);
  const { spec, instruments } = sweepOf(sweepBody.parse(request), market, own);
  const work = { kind: 'optimize', spec: { sweep: spec, instruments } } as const;
  return { request, run: await exampleRun(call, 'sweep', work) };
});

const codesSchema = z.object({ note_codes: z.array(z.enum(NOTE_CODES)) });

export async function sweepExample(
  { services, context }: ScreenCall,
  locale: Locale,
): Promise<z.input<typeof sweepExampleSchema>> {
  const { request, run } = await EXAMPLE.read({ services, context });
  const { note_codes: noteCodes, ...result } = JSON.parse(run.result.summary);
  const notes = notesOf({ context: { locale } }, codesSchema.parse({ note_codes: noteCodes }).note_codes);
  return { request, result: { notes, ...result } };
}
