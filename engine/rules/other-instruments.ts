/** The bars of other instruments that rules name, as a history sees them: up to its last bar, and adjusted to it. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import { type AdjustMode, type Adjustment, adjustToLastBar } from '../market/adjust.ts';
import type { Day } from '../market/dates.ts';
import { type BarSeries, firstIndexFrom, sliceSeries } from '../market/series.ts';

export interface OtherInstrument {
  /** As traded. */
  readonly series: BarSeries;
  readonly events: readonly Adjustment[];
}

/** Histories with the same last bar share one adjusted series; a proof needs the newest only. */
const KEPT_SERIES = 4;

export class OtherInstruments {
  private readonly instruments: ReadonlyMap<string, OtherInstrument>;
  private readonly adjust: AdjustMode;
  private readonly adjusted = new Map<string, IndicatorSet>();

  /** `instruments`: by ticker. */
  constructor(instruments: ReadonlyMap<string, OtherInstrument>, adjust: AdjustMode) {
    this.instruments = instruments;
    this.adjust = adjust;
  }

  get tickers(): readonly string[] {
    return [...this.instruments.keys()];
  }

  with(more: ReadonlyMap<string, OtherInstrument>): OtherInstruments {
    return new OtherInstruments(new Map([...this.instruments, ...more]), this.adjust);
  }

  /** The bars through a day; null where there are none. */
  through(ticker: string, day: Day): IndicatorSet | null {
    const other = this.instruments.get(ticker);
    if (other === undefined) throw new RangeError(`the bars of ${ticker} were not read`);
    const { series, events } = other;
    const end = firstIndexFrom(series, day + 1);
    if (end === 0) return null;
    const key = `${ticker} ${end}`;
    let known = this.adjusted.get(key);
    if (known === undefined) {
      known = new IndicatorSet(adjustToLastBar(sliceSeries(series, 0, end), events, this.adjust));
      const [oldest] = this.adjusted.keys();
      if (this.adjusted.size >= KEPT_SERIES * this.instruments.size) this.adjusted.delete(oldest);
      this.adjusted.set(key, known);
    }
    return known;
  }
}
