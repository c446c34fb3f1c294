/** The market as a map: a cell for each instrument, as large as its dollar volume and colored by its return. */
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { customElement, property, state } from 'lit/decorators.js';
import { toAddress } from '../address.ts';
import { choice } from '../controls.ts';
import { html, nothing, SiteElement, targetOf } from '../dom.ts';
import { EVERYTHING, type Universe } from '../elements/universe-chip.ts';
import { Width } from '../plot.ts';
import { compact, number, signedPercent, t, ticker } from '../text.ts';
import type { MarketItem } from '../types.ts';

/** Periods, and the return at which their colors are strongest, in percent. */
const PERIODS = {
  '1d': { figure: 'return_1d_pct', strongest: 3 },
  '1w': { figure: 'return_1w_pct', strongest: 6 },
  '1m': { figure: 'return_1m_pct', strongest: 12 },
  ytd: { figure: 'return_ytd_pct', strongest: 30 },
  '1y': { figure: 'return_1y_pct', strongest: 45 },
} as const;
type Period = keyof typeof PERIODS;
export const MAP_PERIODS: readonly Period[] = ['1d', '1w', '1m', 'ytd', '1y'];
/** Those whose returns a screen has. */
export const SCREENED_PERIODS: readonly Period[] = MAP_PERIODS.filter((period) => period !== 'ytd');

/** Everything is the largest stocks. */
const MAP_KINDS = ['', 'etf', 'list', 'last'] as const;

/** Steps of color on each side of the neutral one. */
const STEPS = 3;
/** Small instruments stay visible. */
const POWER = 0.86;
const HEIGHT = 472;
const PHONE_PX = 560;
/** On a phone a cell is to be hit with a finger. */
const PHONE = { height: 400, cells: 40 };

/** An instrument as far as the map shows it. */
export type MappedItem = Omit<MarketItem, 'close' | 'volume_ratio' | 'gap_pct' | 'streak'>;

interface Cell {
  readonly item: MappedItem;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The step of color of a return: -3 to 3; null: there is none. */
function stepOf(value: number | null, strongest: number): number | null {
  if (value === null) return null;
  const step = Math.round((value / strongest) * STEPS);
  return Math.max(-STEPS, Math.min(STEPS, step)) + 0;
}

@customElement('market-map')
export class MarketMap extends SiteElement {
  @property({ attribute: false }) items: readonly MappedItem[] = [];
  @property({ attribute: false }) periods = MAP_PERIODS;
  @property() period: Period = '1d';
  @property({ attribute: false }) universe = EVERYTHING;
  /** Symbol of the cell that the Tab key reaches; null: the largest. */
  @state() current: string | null = null;
  /** Symbol of the cell under the pointer or the keyboard. */
  @state() pointed: string | null = null;
  private readonly width = new Width(this);
  private laidOut: { readonly key: string; readonly items: unknown; readonly cells: readonly Cell[] } | null = null;

  override render() {
    const pointed = this.items.find(({ symbol }) => symbol === this.pointed);
    return html`<div class="map-head">
        <h2>${t('home.map')}</h2>
        <universe-chip .universe=${this.universe} .all=${t('universe.largest')} .kinds=${MAP_KINDS} .counts=${number(this.items.length)} @universe=${this.changeUniverse}></universe-chip>
        ${pointed ? html`<p class="map-pointed small" aria-hidden="true">${this.textOf(pointed)}</p>` : this.legend()}
        ${choice({
          label: t('home.map.period'),
          name: 'period',
          values: this.periods.map((period) => [period, t(`home.period.${period}`)] as const),
          chosen: this.period,
          onChoose: this.choose,
        })}
      </div>
      <div class="map" role="group" aria-label=${t('home.map.label')}>
        ${this.cells().map((cell) => this.cell(cell))}
      </div>
      <p class="map-rest small muted">${this.rest()}</p>`;
  }

  private readonly changeUniverse = ({ detail }: CustomEvent<Universe>) =>
    this.dispatchEvent(new CustomEvent('universe', { detail }));

  private get height(): number {
    return this.width.px < PHONE_PX ? PHONE.height : HEIGHT;
  }

  /** Places depend on dollar volume and room alone, so another period keeps them. */
  private cells(): readonly Cell[] {
    const width = this.width.px;
    if (width === 0 || this.items.length === 0) return [];
    const key = `${width} ${this.height}`;
    if (this.laidOut?.key === key && this.laidOut.items === this.items) return this.laidOut.cells;
    const shown = width < PHONE_PX ? this.items.slice(0, PHONE.cells) : this.items;
    const root = hierarchy<{ readonly item?: MappedItem; readonly children?: readonly { item: MappedItem }[] }>({
      children: shown.map((item) => ({ item })),
    }).sum(({ item }) => (item ? item.dollar_volume ** POWER : 0));
    const placed = treemap<typeof root.data>()
      .tile(treemapSquarify.ratio(1.5))
      .size([width, this.height])
      .paddingInner(1)
      .round(true)(root);
    const cells = placed.leaves().flatMap(({ data: { item }, x0, x1, y0, y1 }) => {
      return item && x1 > x0 && y1 > y0 ? [{ item, x: x0, y: y0, width: x1 - x0, height: y1 - y0 }] : [];
    });
    this.laidOut = { key, items: this.items, cells };
    return cells;
  }

  private cell({ item, x, y, width, height }: Cell) {
    const { figure, strongest } = PERIODS[this.period];
    const value = item[figure];
    const ticker = tickerOf(item);
    const isLarge = width >= 84 && height >= 52;
    const letter = isLarge ? 9.5 : 8;
    const fits = ticker.length * letter + 6 <= width && height >= 17;
    const both = fits && height >= 34 && signedPercent(value).length * 7 + 4 <= width;
    const isReached = item.symbol === (this.current ?? this.items[0].symbol);
    const place = `left:${x}px;top:${y}px;width:${width}px;height:${height}px`;
    return html`<a
      class=${isLarge ? 'large' : ''}
      data-step=${stepOf(value, strongest) ?? 'none'}
      data-symbol=${item.symbol}
      href=${`/s/${encodeURIComponent(item.current_symbol ?? item.symbol)}`}
      .style=${place}
      tabindex=${isReached ? 0 : -1}
      aria-label=${this.textOf(item)}
      @focus=${() => this.reach(item.symbol)}
      @blur=${() => this.point(null)}
      @pointerenter=${() => this.point(item.symbol)}
      @pointerleave=${() => this.point(null)}
      @keydown=${this.onKey}
      >${fits ? html`<b>${ticker}</b>` : nothing} ${both ? html`<span>${signedPercent(value)}</span>` : nothing}</a
    >`;
  }

  /** Begins with the visible text of the cell. */
  private textOf(item: MappedItem): string {
    return t('home.map.cell', {
      ticker: tickerOf(item),
      name: item.name,
      change: signedPercent(item[PERIODS[this.period].figure]),
      period: t(`home.period.${this.period}`),
      money: `$${compact(item.dollar_volume)}`,
    });
  }

  private legend() {
    const { strongest } = PERIODS[this.period];
    const steps = Array.from({ length: 2 * STEPS + 1 }, (_, i) => i - STEPS);
    return html`<p class="map-legend small muted" aria-label=${t('home.map.legend', { percent: strongest })} role="img">
      <span>${signedPercent(-strongest, 0)}</span>
      ${steps.map((step) => html`<i data-step=${step}></i>`)}
      <span>${signedPercent(strongest, 0)}</span>
    </p>`;
  }

  private rest(): string {
    const hidden = this.items.length - PHONE.cells;
    const isCut = this.width.px > 0 && this.width.px < PHONE_PX && hidden > 0;
    return isCut ? t('home.map.rest', { count: hidden }) : '';
  }

  private readonly choose = (period: Period) => {
    this.period = period;
    toAddress({ period: period === MAP_PERIODS[0] ? null : period }, false);
  };

  private readonly point = (symbol: string | null) => {
    this.pointed = symbol;
  };

  private reach(symbol: string): void {
    this.current = symbol;
    this.point(symbol);
  }

  /** Arrow keys go to the nearest cell in their direction. */
  private readonly onKey = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!direction) return;
    event.preventDefault();
    const { symbol } = targetOf(event, HTMLElement).dataset;
    const from = this.cells().find(({ item }) => item.symbol === symbol);
    const next = from && nearest(from, this.cells(), direction[0], direction[1]);
    if (next) this.querySelector<HTMLElement>(`[data-symbol="${CSS.escape(next.item.symbol)}"]`)?.focus();
  };
}

/** The cell whose middle is nearest in a direction; one that lies aside counts as farther. */
function nearest(from: Cell, cells: readonly Cell[], dx: number, dy: number): Cell | null {
  const middle = (cell: Cell) => [cell.x + cell.width / 2, cell.y + cell.height / 2] as const;
  const [x, y] = middle(from);
  let best: Cell | null = null;
  let least = Infinity;
  for (const cell of cells) {
    const [toX, toY] = middle(cell);
    const along = (toX - x) * dx + (toY - y) * dy;
    const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
    if (cell === from || along <= 0 || along + 2 * aside >= least) continue;
    least = along + 2 * aside;
    best = cell;
  }
  return best;
}

const tickerOf = ({ symbol }: MappedItem) => ticker(symbol);
