/** The colors of charts: those of the style sheet as they are now. */
import { locale } from '../page-locale.ts';

export interface ChartColors {
  readonly ground: string;
  readonly raised: string;
  readonly line: string;
  readonly grid: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  readonly amber: string;
  readonly violet: string;
  readonly teal: string;
  readonly gain: string;
  readonly loss: string;
}

export function chartColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  // A color may refer to another one, so each is resolved on an element.
  const probe = document.createElement('i');
  document.body.append(probe);
  const color = (name: string) => {
    probe.style.color = style.getPropertyValue(`--${name}`);
    return getComputedStyle(probe).color;
  };
  const colors = {
    ground: color('ground'),
    raised: color('raised'),
    line: color('line'),
    grid: color('grid'),
    ink: color('ink'),
    muted: color('muted'),
    accent: color('accent'),
    amber: color('amber'),
    violet: color('violet'),
    teal: color('teal'),
    gain: color('gain'),
    loss: color('loss'),
  };
  probe.remove();
  return colors;
}

/** By its name in the style sheet. */
export type LineColor = 'accent' | 'amber' | 'violet' | 'teal' | 'muted';

export function overlayColor(name: LineColor): string {
  const probe = document.createElement('i');
  document.body.append(probe);
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** A color with an opacity: `rgb(1, 2, 3)` → `rgba(1, 2, 3, 0.2)`. */
export function faded(color: string, share: number): string {
  return color.replace(/^rgba?\((\d+), (\d+), (\d+).*$/, `rgba($1, $2, $3, ${share})`);
}

/** The look of charts over time. */
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
    grid: { vertLines: { visible: false }, horzLines: { color: colors.grid } },
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    timeScale: { borderColor: colors.line, minBarSpacing: 0.02, lockVisibleTimeRangeOnResize: true },
    crosshair: { mode: 0, vertLine: { labelVisible: true }, horzLine: { labelVisible: true } },
    localization: { locale },
  };
}

export const chartFont = () => getComputedStyle(document.body).fontFamily;
