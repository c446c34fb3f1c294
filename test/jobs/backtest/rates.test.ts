/** Results of runs whose rates are those of columns: what they tell, what they note, and what their receipts are made of. */
import { describe, expect, it } from '@jest/globals';
import { SessionLedger } from '../../../engine/market/session-ledger.ts';
import { required } from '../../../engine/util/values.ts';
import { BACKTEST } from '../../../jobs/backtest/kind.ts';
import type { BacktestSpec } from '../../../jobs/contracts/backtest.ts';
import { canonicalJson } from '../../../jobs/runs/receipt.ts';
import { backtestResult } from '../../support/results.ts';
import { randomSeries } from '../../support/series.ts';

const series = randomSeries(200, 4);
const LEDGER = SessionLedger.ofVenueBasis({ published: null, complete: [] });
const PLAIN: BacktestSpec = {
  instrumentId: 1,
  symbol: 'ALFA.US',
  listedOn: null,
  delistedOn: null,
  strategy: 'donchian',
  params: { entry_period: 10, exit_period: 5, stop_loss_pct: 0, take_profit_pct: 0, max_bars: 0 },
  timeRange: 'MAX',
  start: null,
  end: null,
  adjust: 'split',
  isCostless: true,
  execution: { executeOn: 'close', commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 100_000 },
  asOf: series.day[199] + 1,
  dataAsOf: null,
  distributionMode: 'eod_only',
  includeStatistics: true,
};

/** 5 % a year, and no value from the tenth session to the thirteenth. */
const bill = {
  at: (days: Int32Array) => Float64Array.from(days, (day) => (day >= series.day[9] && day <= series.day[12] ? NaN : 5)),
};
const columns = new Map([['bill', bill]]);

function resultOf(changes: Partial<BacktestSpec>) {
  const computation = { dataVersion: '', at: new Date(0) };
  const history = { series, events: [], columns };
  const result = required(backtestResult({ ...PLAIN, ...changes }, history, LEDGER, computation));
  return JSON.parse(result.summary);
}

describe('a run with the rate of a column', () => {
  const plain = resultOf({});

  it('is told above it, notes its gaps, and has the trades and the Sharpe ratio of the run without it', () => {
    const above = resultOf({ riskFree: 'bill' });
    expect(above.risk_free).toBe('bill');
    expect(above.note_codes).toContain('risk_free_gaps');
    expect(above.note_details.risk_free_gaps).toEqual({ count: 4 });
    expect([above.sharpe, above.interest, above.statistics.psr]).toEqual([plain.sharpe, null, expect.any(Number)]);
    expect(above.statistics.skill.alpha_pct).toBeLessThan(plain.statistics.skill.alpha_pct);
    expect(above.statistics.skill.beta).not.toBe(plain.statistics.skill.beta);
  });

  it('of its cash earns it less the spread, which is no alpha', () => {
    const rich = resultOf({ cash: { rate: 'bill', spreadBps: 50 } });
    expect(rich.cash).toEqual({ rate: 'bill', spread_bps: 50 });
    expect(rich.note_details.cash_rate_gaps).toEqual({ count: 4 });
    expect(rich.note_codes).not.toContain('risk_free_gaps');
    expect(rich.interest.money).toBeGreaterThan(0);
    const whole = resultOf({ cash: { rate: 'bill', spreadBps: 0 } });
    expect(whole.interest.money).toBeGreaterThan(rich.interest.money);
    const still = { ...PLAIN.params, entry_period: 199 };
    const idle = resultOf({ params: still, cash: { rate: 'bill', spreadBps: 0 } });
    expect([idle.num_trades, idle.statistics.skill.alpha_pct]).toEqual([0, 0]);
  });

  it('is digested with it, and without the fields as it always was', () => {
    const formOf = (changes: Partial<BacktestSpec>) => canonicalJson(BACKTEST.canonical({ ...PLAIN, ...changes }));
    expect(formOf({})).not.toMatch(/cash|risk_free/);
    expect(formOf({ cash: undefined, riskFree: undefined })).toBe(formOf({}));
    expect(formOf({ riskFree: 'bill' })).toContain('"risk_free":"bill"');
    expect(formOf({ cash: { rate: 4, spreadBps: 0 } })).toContain('"cash":{"rate":4,"spread_bps":0}');
    expect([plain.cash, plain.risk_free, plain.interest]).toEqual([undefined, undefined, null]);
  });

  it('is digested with what a day means to its column, unless that is the default', () => {
    const formOf = (dayMeans?: 'after_close' | 'before_close') => {
      const rows = { name: 'bill', owner: 'account', columnId: 1, base: 1, version: 1, sha256: '00' } as const;
      const facts = { kind: 'number', isMarket: true, dimension: 'none', about: 'value', unit: null } as const;
      const columns = [{ ...rows, ...facts, staleAfter: null, dayMeans }];
      return canonicalJson(BACKTEST.canonical({ ...PLAIN, columns }));
    };
    expect(formOf('after_close')).toBe(formOf());
    expect(formOf('before_close')).toContain('"day_means":"before_close"');
  });
});
