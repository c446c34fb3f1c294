/** The colors of charts: those of the style sheet as they are now. */

export interface ChartColors {
  readonly ground: string;
  readonly raised: string;
  readonly line: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  readonly gain: string;
  readonly loss: string;
}

const NAMES = ['ground', 'raised', 'line', 'ink', 'muted', 'accent', 'gain', 'loss'] as const;

export function chartColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  // A color may name another one, so each is asked for as an element would have it.
  const probe = document.createElement('i');
  document.body.append(probe);
  const colors = NAMES.map((name) => {
    probe.style.color = style.getPropertyValue(`--${name}`);
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colors) as Record<(typeof NAMES)[number], string>;
}

/** A color with less of it: `rgb(1, 2, 3)` → `rgba(1, 2, 3, 0.2)`. */
export function faded(color: string, share: number): string {
  return color.replace(/^rgba?\((\d+), (\d+), (\d+).*$/, `rgba($1, $2, $3, ${share})`);
}

export const chartFont = () => getComputedStyle(document.body).fontFamily;
