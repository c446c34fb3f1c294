/** Changes of kept runs by loads that corrected prices or events. */
import { html, nothing } from 'lit';
import { fixed, localTime, percent } from '../text.ts';
import { t } from '../tool-text.ts';
import type { ImpactFigures, Revised } from '../types.ts';

/** Figures before and after, as words. */
export function impactWords(before: ImpactFigures | null, after: ImpactFigures | null): string {
  const [was, is] = [before, after].map((figures) => {
    if (figures === null) return t('revised.no_bars');
    if (figures.signals !== undefined) return t('revised.signals', { count: figures.signals });
    if (figures.factor !== undefined) return t('revised.factor', { factor: figures.factor, ic: fixed(figures.ic, 4) });
    const { total_pnl_pct: total, sharpe, verdict } = figures;
    const shown = verdict ? t(`revised.${verdict}`) : '';
    return t('revised.figures', { total: percent(total), sharpe: fixed(sharpe), shown });
  });
  return `${was} → ${is}`;
}

/** The line on the page of a run whose figures a load has changed. */
export function revisedLine(revised: Revised | undefined) {
  if (revised === undefined) return nothing;
  const { at, before, after } = revised;
  return html`<p class="notice warning">${t('revised', { at: localTime(at) })} ${impactWords(before, after)}.</p>`;
}
