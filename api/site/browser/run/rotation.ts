/** Rotations as pages make and show them. */
import { t } from '../tool-text.ts';
import type { PortfolioResult } from '../types.ts';
import { sharedBody } from './kind.ts';
import type { RunBody } from './specification.ts';

export interface RotationBody extends Omit<RunBody, 'strategy' | 'rules'> {
  readonly universe: {
    readonly symbols?: readonly string[];
    readonly all?: true;
    readonly asset_type?: string | readonly string[];
    readonly where?: string;
  };
  readonly rotation: { readonly score: string; readonly [name: string]: unknown };
  readonly cash_buffer_pct?: number;
  readonly benchmark?: string;
  readonly survivors?: boolean;
}

/** A result that is one of a rotation. */
export type RotationResult = PortfolioResult & Required<Pick<PortfolioResult, 'rotation' | 'universe'>>;

export function isRotationResult(result: PortfolioResult): result is RotationResult {
  return result.rotation !== undefined && result.universe !== undefined;
}

export function isRotationBody(body: object): body is RotationBody {
  return 'rotation' in body && 'universe' in body;
}

export const PRESETS = ['momentum', 'half_year', 'low_volatility', 'quality', 'reversal', 'year_high'] as const;

/** Rankings to begin with, by name. */
export const SCORE_PRESETS = {
  momentum: 'lag(close, 21) / lag(close, 252)',
  half_year: 'roc(126)',
  low_volatility: '-volatility(126)',
  quality: 'roc(126) / volatility(126)',
  reversal: '-roc(21)',
  year_high: 'close / highest_of(close, 252)',
} as const satisfies Record<(typeof PRESETS)[number], string>;

/** `Momentum, 12 months less 1: the best 10` */
export function rotationWords({ rotation: { score, hold } }: RotationResult): string {
  const preset = PRESETS.find((name) => SCORE_PRESETS[name] === score);
  const name = preset ? t(`rotation.preset.${preset}`) : t('rotation.name');
  return 'top' in hold ? t('rotation.holds', { name, count: String(hold.top) }) : name;
}

/** The call that reproduces a result. */
export function rotationBodyOf(result: RotationResult): RotationBody {
  const { strategy: _strategy, rules: _rules, ...run } = sharedBody(result);
  const { symbols, where, asset_type } = result.universe;
  return {
    ...run,
    universe: {
      ...(symbols ? { symbols } : { all: true }),
      ...(asset_type && { asset_type }),
      ...(where === undefined ? {} : { where }),
    },
    rotation: result.rotation,
    cash_buffer_pct: result.cash_buffer_pct,
    benchmark: result.benchmark,
    survivors: result.survivorship_gap !== undefined,
  };
}
