/** The settings of a run in a few words, for the folded groups of its form. */
import { dollars, listed, number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';

type Values = Readonly<Record<string, string>>;

/** A mode of the form; until it is filled, the default. */
export function modeWords(value: string | undefined, name: 'execute_on' | 'adjust', { defaults }: Strategies): string {
  const mode = value ?? defaults[name];
  return textOr(name === 'adjust' ? `adjust.${mode}` : `param.${mode}`, mode);
}

export function costWords({ commission_rate = '0', min_commission = '0', slippage_bps = '0' }: Values): string {
  const words = [
    Number(commission_rate) === 0 ? '' : t('form.commission.now', { rate: number(Number(commission_rate), 4) }),
    Number(min_commission) === 0 ? '' : t('form.min_commission.now', { least: dollars(Number(min_commission)) }),
    Number(slippage_bps) === 0 ? '' : t('form.slippage.now', { points: number(Number(slippage_bps)) }),
  ];
  return listed(words.filter((word) => word !== '')) || t('form.none');
}

/** Exits beside those of the strategy. */
export function exitWords(values: Values): string {
  const of = (name: string) => Number(values[`p.${name}`] ?? 0);
  const words = [
    of('stop_loss_pct') === 0 ? '' : t('form.stop_loss.now', { percent: number(of('stop_loss_pct')) }),
    of('take_profit_pct') === 0 ? '' : t('form.take_profit.now', { percent: number(of('take_profit_pct')) }),
    of('max_bars') === 0 ? '' : t('form.max_bars.now', { bars: of('max_bars') }),
  ];
  return listed(words.filter((word) => word !== '')) || t('form.none');
}
