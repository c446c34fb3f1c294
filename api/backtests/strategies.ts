/** The built-in strategies, and the defaults of a request. */
import type { selectStrategyProofs } from '../../db/runs/verdicts.ts';
import type { Rows } from '../../db/schema/tables.ts';
import { EXECUTE_ON } from '../../engine/backtest/execution.ts';
import { ADJUST_MODES } from '../../engine/market/adjust.ts';
import { TIME_RANGES } from '../../engine/market/time-range.ts';
import { paramsSchema, STRATEGIES } from '../../engine/strategies/catalogue.ts';
import type { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import type { Timed } from '../http/timed-cache.ts';
import { DEFAULT_STRATEGY, DEFAULT_TIME_RANGE, INITIAL_CAPITAL, NO_COST } from './request.ts';
import type { strategiesSchema } from './schemas.ts';

/** When each strategy was last found free of look-ahead. */
export type StrategyProofs = () => Promise<Timed<Awaited<ReturnType<typeof selectStrategyProofs>>>>;

/** The newest run of a strategy that was free of look-ahead on every prefix of the history. */
function proofView(proof: Rows['strategy_proofs'] | undefined) {
  if (!proof) return null;
  const { engine_version, symbol, prefixes, proved_at } = proof;
  return { engine_version, symbol, prefixes, proved_at: proved_at.toISOString() };
}

export async function strategiesView(
  readProofs: StrategyProofs,
  locale: Locale,
): Promise<z.input<typeof strategiesSchema>> {
  const { value: proofs } = await readProofs();
  return {
    strategies: STRATEGIES.map((strategy) => ({
      code: strategy.code,
      name: strategy.label[locale],
      description: strategy.description[locale],
      params_schema: paramsSchema(strategy),
      rules: strategy.rules,
      look_ahead_proof: proofView(proofs.get(strategy.code)),
    })),
    time_ranges: [...TIME_RANGES],
    execute_on: [...EXECUTE_ON],
    defaults: {
      strategy: DEFAULT_STRATEGY,
      time_range: DEFAULT_TIME_RANGE,
      execute_on: EXECUTE_ON[0],
      adjust: ADJUST_MODES[0],
      initial_capital: INITIAL_CAPITAL,
      cost: NO_COST,
    },
  };
}
