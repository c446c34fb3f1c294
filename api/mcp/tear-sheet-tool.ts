/** The tool for tear sheets of kept runs. */
import { z } from '../http/input/fields.ts';
import { type Data, defineTool, pick, WAIT_S } from './operations.ts';

interface Sheet extends Data {
  readonly returns: Data;
  readonly benchmark: Data;
  readonly trades: Data;
  readonly chance: {
    readonly bootstrap: Data | null;
    readonly random_entries: Data | null;
    readonly random_sets: Data | null;
  };
  readonly verdict: { readonly sentences: readonly { readonly text: string }[] };
}

function shownSheet(sheet: Sheet): object {
  const { returns, benchmark, trades, chance, verdict } = sheet;
  return {
    ...pick(sheet, 'sessions', 'start_date', 'end_date'),
    verdict: verdict.sentences.map(({ text }) => text),
    returns: pick(
      returns,
      'total_pct',
      'annual_return_pct',
      'volatility_pct',
      'sharpe',
      'max_drawdown_pct',
      'cvar_95_pct',
    ),
    benchmark: pick(benchmark, 'total_pct', 'beta', 'alpha_pct', 'information_ratio'),
    trades: pick(trades, 'count', 'win_rate_pct', 'payoff', 'expectancy_pct'),
    chance: {
      ...(chance.bootstrap === null ? {} : pick(chance.bootstrap, 'p_loss', 'max_drawdown_pct')),
      ...(chance.random_sets ? { random_sets: pick(chance.random_sets, 'rank') } : {}),
      ...(chance.random_entries === null ? {} : { random_entries: pick(chance.random_entries, 'rank') }),
    },
  };
}

export const tearSheet = defineTool({
  name: 'tear_sheet',
  description:
    'What a kept run earned, for which risk, and whether that is more than chance: a verdict to quote, and figures. Needs an account.',
  inputSchema: z.object({
    kind: z.enum(['backtest', 'portfolio']),
    id: z.string().max(64),
    benchmark: z.string().max(64).optional().describe('A symbol; default: holding'),
  }),
  isReadOnly: true,
  run: async ({ kind, id, benchmark }, context) => {
    const query = benchmark === undefined ? {} : { benchmark };
    const answered =
      kind === 'backtest'
        ? await context.call('getBacktestTearSheet', { path: { backtest_id: id }, query })
        : await context.call('getPortfolioTearSheet', { path: { portfolio_id: id }, query });
    if (typeof answered.job_id !== 'string') return shownSheet(answered);
    const state = await context.call('getTearSheetJob', { path: { job_id: answered.job_id }, query: { wait: WAIT_S } });
    return state.result === null ? { status: state.status, next: 'Ask again' } : shownSheet(state.result);
  },
});
