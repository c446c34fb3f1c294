/** Ready-made screens. */
import type { LocalizedText } from '../util/localized-text.ts';
import { text } from '../util/localized-text.ts';
import type { Condition, SortOrder } from './screen.ts';

export interface Preset {
  readonly code: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText;
  readonly conditions: readonly Condition[];
  readonly sort: SortOrder;
}

const condition = (field: string, op: string, value = 0, period: number | null = null, value2 = 0): Condition => ({
  field,
  op,
  period,
  value,
  value2,
});
/** Excludes instruments that trade too little to be bought or sold in size. */
const LIQUID = condition('dollar_volume', 'gte', 1_000_000);

export const PRESETS: readonly Preset[] = [
  {
    code: 'trend_breakout',
    name: text('Trend breakout', '趋势突破', '趨勢突破'),
    description: text(
      'New 60-bar highs above a rising 200-bar average',
      '站上上行的200日均线并创60日新高',
      '站上上行的200日均線並創60日新高',
    ),
    conditions: [
      LIQUID,
      condition('above_sma', 'is_true', 0, 200),
      condition('sma_slope_pct', 'gt', 0, 200),
      condition('new_high', 'is_true', 0, 60),
    ],
    sort: { field: 'volume_ratio', period: 20, order: 'desc' },
  },
  {
    code: 'pullback_entry',
    name: text('Pullback entry', '回调买点', '回檔買點'),
    description: text(
      'Up-trends that have fallen 5 to 20% from their 60-bar high',
      '上升趋势中较60日高点回落5%–20%',
      '上升趨勢中較60日高點回落5%–20%',
    ),
    conditions: [
      LIQUID,
      condition('above_sma', 'is_true', 0, 200),
      condition('pullback_from_high_pct', 'between', 5, 60, 20),
      condition('rsi', 'lt', 45, 14),
    ],
    sort: { field: 'roc_pct', period: 126, order: 'desc' },
  },
  {
    code: 'volume_surge',
    name: text('Volume surge', '放量异动', '放量異動'),
    description: text(
      'Rising on at least three times the usual volume',
      '上涨且成交量达均量三倍以上',
      '上漲且成交量達均量三倍以上',
    ),
    conditions: [LIQUID, condition('volume_ratio', 'gte', 3, 20), condition('change_pct', 'gt', 2)],
    sort: { field: 'volume_ratio', period: 20, order: 'desc' },
  },
  {
    code: 'low_vol_trend',
    name: text('Low-volatility trend', '低波动趋势', '低波動趨勢'),
    description: text(
      'Calm up-trends near their 252-bar high',
      '波动较低、接近252日高点的上升趋势',
      '波動較低、接近252日高點的上升趨勢',
    ),
    conditions: [
      LIQUID,
      condition('above_sma', 'is_true', 0, 200),
      condition('near_high_pct', 'gte', 95, 252),
      condition('volatility_pct', 'lt', 25, 60),
    ],
    sort: { field: 'volatility_pct', period: 60, order: 'asc' },
  },
];

export function findPreset(code: string): Preset | null {
  return PRESETS.find((preset) => preset.code === code) ?? null;
}

/** Throws a RangeError for an unknown code. */
export function requirePreset(code: string): Preset {
  const preset = findPreset(code);
  if (!preset) throw new RangeError(`unknown preset ${code}`);
  return preset;
}
