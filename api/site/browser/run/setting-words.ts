/** The settings of a run in a few words, for the folded groups of its form. */
import { dollars, listed, number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';

type Values = Readonly<Record<string, string>>;

/** A mode of the form; empty until it is filled. */
export const modeWords = (mode = '', name: 'param' | 'adjust') => textOr(`${name}.${mode}`, mode);

export function costWords(values: Values): string {
  const [commission_rate, min_commission, slippage_bps] = ['commission_rate', 'min_commission', 'slippage_bps'].map(
    (name) => Number(values[`cost.${name}`] ?? 0),
  );
  const words = [
    commission_rate === 0 ? '' : t('form.commission.now', { rate: number(commission_rate, 4) }),
    min_commission === 0 ? '' : t('form.min_commission.now', { least: dollars(min_commission) }),
    slippage_bps === 0 ? '' : t('form.slippage.now', { points: number(slippage_bps) }),
    cashWords(values['cash.rate']),
    values.risk_free ? t('form.risk_free.now', { name: values.risk_free }) : '',
  ];
  return listed(words.filter((word) => word !== '')) || t('form.none');
}

/** `rate`: percent a year, or the name of a column. */
function cashWords(rate = ''): string {
  if (rate.trim() === '') return '';
  const percent = Number(rate);
  return Number.isNaN(percent)
    ? t('form.cash.column', { name: rate })
    : t('form.cash.now', { rate: number(percent, 4) });
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
