/** Overlays: exits that every strategy has besides its own. */
import { text } from '../util/localized-text.ts';
import { integer, number, type ParameterSet, type ValuesOf } from './parameters.ts';

/** Exits that do not depend on a strategy's signals; 0 turns each of them off. */
export interface Overlays {
  /** Exit at a close this many percent below the fill price. */
  readonly stopLossPct: number;
  /** Exit at a close this many percent above the fill price. */
  readonly takeProfitPct: number;
  /** Exit after this many bars. */
  readonly maxBars: number;
}

export const OVERLAY_PARAMETERS = {
  stop_loss_pct: number(0, [0, 100], text('Stop loss, % (0: off)', '止损（%，0为关闭）', '停損（%，0為關閉）')),
  take_profit_pct: number(0, [0, 1000], text('Take profit, % (0: off)', '止盈（%，0为关闭）', '停利（%，0為關閉）')),
  max_bars: integer(
    0,
    [0, 2520],
    text('Longest holding, bars (0: off)', '最长持有（根，0为关闭）', '最長持有（根，0為關閉）'),
  ),
} as const satisfies ParameterSet;

export function overlaysFrom(values: ValuesOf<typeof OVERLAY_PARAMETERS>): Overlays {
  return {
    stopLossPct: values.stop_loss_pct,
    takeProfitPct: values.take_profit_pct,
    maxBars: values.max_bars,
  };
}
