/** A watch made ready: its strategy, its instruments, and the signals that it finds. */

import type { Instrument } from '../../db/market/instruments.ts';
import type { Signal } from '../../db/research/signals.ts';
import type { DueWatch } from '../../db/research/watches.ts';
import { figuresAtNewest, holdsAtNewest } from '../../engine/backtest/newest-signal.ts';
import type { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { checkRule } from '../../engine/rules/check.ts';
import { HistoryColumns } from '../../engine/rules/columns.ts';
import { readRules, strategyOf } from '../../engine/rules/strategy.ts';
import type { Expression } from '../../engine/rules/syntax.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { Strategy } from '../../engine/strategies/strategy.ts';
import { MAX_WATCHED } from '../contracts/signals.ts';

export interface WatchPlan {
  readonly watch: DueWatch;
  readonly strategy: Strategy;
  readonly params: ParameterValues;
  readonly signals: Signal[];
  /** Whether the watch includes an instrument that its screen lets pass. */
  readonly watches: (instrumentId: number) => boolean;
  /** Asked once for each instrument: a screen lets the first `MAX_WATCHED` pass. */
  readonly passesScreen: (indicators: IndicatorSet) => boolean;
  /** The figures behind an entry or an exit. */
  readonly figures: (indicators: IndicatorSet, kind: Signal['kind']) => Signal['figures'];
}

export function preparedWatch(watch: DueWatch, instruments: readonly Instrument[]): WatchPlan {
  const { strategy: code, params, rules: texts, instrumentIds, screen } = watch;
  const strategy = strategyOf({ strategy: code, rules: texts ?? undefined, params });
  const types = new Set(screen?.assetTypes ?? []);
  const watched = new Set(
    screen === null
      ? (instrumentIds ?? [])
      : instruments.filter(({ assetType }) => types.has(assetType)).map(({ id }) => id),
  );
  const where = screen === null ? null : conditionOf(screen.where);
  let passed = 0;
  return {
    watch,
    strategy,
    params,
    signals: [],
    watches: (instrumentId) => watched.has(instrumentId),
    passesScreen: (indicators) => {
      if (where === null) return true;
      if (passed >= MAX_WATCHED || !holdsAtNewest(new HistoryColumns(indicators), where)) return false;
      passed++;
      return true;
    },
    figures: figuresOf(texts ?? strategy.rules, params),
  };
}

function conditionOf(text: string): Expression {
  const checked = checkRule(text, { result: 'condition', mayUsePosition: false, parameters: null });
  if ('problems' in checked) throw new RangeError(`invalid screen: ${text}`);
  return checked.expression;
}

function figuresOf(texts: Strategy['rules'], params: ParameterValues): WatchPlan['figures'] {
  const read = texts === null ? null : readRules(texts);
  if (read === null || 'problems' in read) return () => ({});
  const { entry, exit } = read.rules;
  return (indicators, kind) => {
    const condition = kind === 'entry' ? entry : exit;
    return condition === null ? {} : figuresAtNewest(new HistoryColumns(indicators), condition, params);
  };
}
