/** The finished rotation that the portfolio page opens with. */
import { found } from '../../engine/util/errors.ts';
import { PORTFOLIO_PARTS } from '../../jobs/contracts/portfolio.ts';
import { OWN_COMPARISON } from '../../jobs/contracts/tear-sheet.ts';
import type { JsonStream, JsonText } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { exampleRun, MarketExample } from '../runs/service-run.ts';
import type { DoneRun } from '../runs/state.ts';
import { presentationOf, runResult } from '../runs/view.ts';
import type { ScreenCall, Services } from '../screener/services.ts';
import { portfolioBody } from './request.ts';
import { isRotation, rotationSpecOf } from './rotation.ts';

/** The universe is the most traded names at each look, so that no later figure chooses them. */
const CHOICE: z.input<typeof portfolioBody> = {
  universe: { all: true, where: 'top(sma_of(dollar_volume, 20), 100)' },
  rotation: {
    every: 'month',
    score: 'lag(close, 21) / lag(close, 252)',
    hold: { top: 10 },
    keep: { top: 20 },
  },
  time_range: '5Y',
  adjust: 'total',
  cost: { slippage_bps: 5 },
  survivors: true,
};

const EXAMPLE = new MarketExample<Services, DoneRun>(async (call) => {
  found(call.services.market.examples[0]);
  const body = portfolioBody.parse(CHOICE);
  if (!isRotation(body)) throw new Error('the example is a rotation');
  const spec = { ...(await rotationSpecOf(call, body)), tearSheet: OWN_COMPARISON };
  return exampleRun(call, 'portfolio', { kind: 'portfolio', spec });
});

export async function portfolioExample(call: ScreenCall, locale: Locale): Promise<JsonText | JsonStream> {
  const run = await EXAMPLE.read(call);
  return runResult(call.services.pool, run, PORTFOLIO_PARTS, presentationOf(call, locale));
}
