/** Sharpe ratios with serial correlation beside the figures of jsharpe. */
import { expect } from '@jest/globals';
import {
  criticalSharpe,
  observedFdr,
  serialPsr,
  serialTrackRecord,
  serialVariance,
  sharpePower,
} from '../../engine/statistics/serial-sharpe.ts';

/** The arguments of the functions of jsharpe, by their names. */
export interface SharpeCase {
  readonly SR: number;
  readonly SR0: number;
  readonly SR1: number;
  readonly T: number;
  readonly gamma3: number;
  readonly gamma4: number;
  readonly rho: number;
  readonly p_H1: number;
}

const FUND = { SR: 0.036 / 0.079, SR0: 0, SR1: 0.5, T: 24, gamma3: -2.448, gamma4: 10.164, rho: 0, p_H1: 0.05 };

/** A hedge fund's months, the example of the article; then days and weeks, with and without serial correlation. */
export const SHARPE_CASES: readonly SharpeCase[] = [
  FUND,
  { ...FUND, rho: 0.2, p_H1: 0.1 },
  { ...FUND, SR0: 0.1 },
  { SR: 0.04, SR0: 0, SR1: 0.5 / Math.sqrt(252), T: 2_520, gamma3: -0.6, gamma4: 7.5, rho: 0.05, p_H1: 0.05 },
  { SR: 0.12, SR0: 0, SR1: 0.5 / Math.sqrt(52), T: 300, gamma3: 0.4, gamma4: 4, rho: -0.3, p_H1: 0.05 },
  { SR: 0.2, SR0: 0.05, SR1: 0.3, T: 120, gamma3: -1.2, gamma4: 6, rho: 0.6, p_H1: 0.2 },
];

export type SharpeFigures = Readonly<
  Record<'variance' | 'psr' | 'min_track_record' | 'critical_sharpe' | 'power' | 'fdr', number>
>;

export function expectSharpes(answers: readonly SharpeFigures[]): void {
  expect(answers).toHaveLength(SHARPE_CASES.length);
  for (const [i, { SR, SR0, SR1, T, gamma3, gamma4, rho, p_H1 }] of SHARPE_CASES.entries()) {
    const moments = { sharpe: SR, count: T, skewness: gamma3, kurtosis: gamma4, rho };
    const found = {
      variance: serialVariance(SR0, moments),
      psr: serialPsr(moments, SR0),
      min_track_record: serialTrackRecord(moments, SR0),
      critical_sharpe: criticalSharpe(moments, SR0),
      power: sharpePower(moments, SR0, SR1),
      fdr: observedFdr(moments, SR0, SR1, p_H1),
    };
    for (const [name, figure] of Object.entries(found)) {
      const expected = Object.entries(answers[i]).find(([known]) => known === name)?.[1] ?? Number.NaN;
      expect([i, name, Math.abs((figure ?? Number.NaN) / expected - 1) < 1e-9]).toEqual([i, name, true]);
    }
  }
}
