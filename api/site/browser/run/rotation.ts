/** Rotations as pages make and show them. */
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

/** Names of a rotation at most. */
const MOST_HELD = 50;

/** The names with the largest values: so many, or as many as a rotation may hold. */
export const largestHeld = (names: number) => ({ top: Math.min(MOST_HELD, Math.max(1, Math.round(names))) });
