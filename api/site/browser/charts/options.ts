/** Options that all charts of the site share. */

import { locale } from '../text.ts';
import { type ChartColors, chartFont, faded } from './colors.ts';

export function chartOptions(colors: ChartColors) {
  return {
    layout: {
      background: { color: colors.ground },
      textColor: colors.muted,
      fontFamily: chartFont(),
      fontSize: 11,
      panes: { separatorColor: colors.line, separatorHoverColor: colors.raised, enableResize: true },
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: faded(colors.line, 0.6) } },
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    timeScale: { borderColor: colors.line, rightOffset: 2, minBarSpacing: 0.02 },
    crosshair: { mode: 0, vertLine: { labelVisible: true }, horzLine: { labelVisible: true } },
    localization: { locale },
  };
}

/** Hollow up, filled down: the direction can be seen without color too. */
export function candleOptions(colors: ChartColors) {
  return {
    upColor: colors.ground,
    borderUpColor: colors.gain,
    wickUpColor: colors.gain,
    downColor: colors.loss,
    borderDownColor: colors.loss,
    wickDownColor: colors.loss,
    priceLineVisible: false,
    lastValueVisible: true,
  };
}
