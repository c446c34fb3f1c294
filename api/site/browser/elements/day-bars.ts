/** A small bar chart of one figure per day, which can be shown as a table. */
import { customElement, property } from 'lit/decorators.js';
import { choiceFromAddress, followAddress, toAddress } from '../address.ts';
import { choice } from '../controls.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { Plot } from '../plot.ts';
import { get } from '../session.ts';
import { day, number } from '../text.ts';
import { t } from '../tool-text.ts';
import { type Column, numberColumn } from './data-table.ts';

export interface DayValue {
  readonly date: string;
  readonly value: number;
}

/** Units of the SVG, which is stretched to the width of its container. */
const DAY_WIDTH = 10;
const HEIGHT = 100;

@customElement('day-bars')
export class DayBars extends SiteElement {
  @property({ attribute: false }) days: readonly DayValue[] = [];
  /** The unit of the counts. */
  @property() label = '';

  override render() {
    const [first] = this.days;
    const last = this.days.at(-1);
    if (!first || !last) return nothing;
    const values = this.days.map(({ value }) => value);
    const box = { width: this.days.length * DAY_WIDTH, height: HEIGHT };
    const plot = new Plot(box, { x: [0, values.length], y: [0, ...values] });
    const highest = Math.max(...values);
    const titleOf = (i: number) => `${day(this.days[i].date)}: ${number(values[i])}`;
    const details = { label: this.label, start: day(first.date), end: day(last.date), highest };
    return html`<figure class="day-bars" aria-label=${t('days.chart', details)}>
        <p class="chart-line" aria-hidden="true"><span>${t('days.highest', { highest })}</span></p>
        <svg viewBox="0 0 ${box.width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${plot.bars(values, { gap: 2, least: 2, titleOf })}</svg>
        <figcaption class="row spread small muted"><span>${day(first.date)}</span><span>${day(last.date)}</span></figcaption>
      </figure>
      <details>
        <summary>${t('chart.table')}</summary>
        <data-table .columns=${this.columns()} .rows=${this.days} .caption=${this.label}></data-table>
      </details>`;
  }

  private columns(): Column<DayValue>[] {
    return [
      { key: 'date', title: t('word.date'), value: ({ date }) => date },
      numberColumn('value', this.label, ({ value }) => value),
    ];
  }
}

export class ByDays<T> {
  private readonly figures: Load<T>;
  private readonly choices: readonly string[];

  /** `choices`: numbers of days, the one to begin with first. */
  constructor(host: SiteElement, source: string, choices: readonly string[]) {
    this.choices = choices;
    this.figures = new Load(host, () => get<T>(source, { query: { days: this.days } }));
    followAddress(host, () => {
      host.requestUpdate();
      void this.figures.reload();
    });
  }

  private get days(): string {
    return choiceFromAddress('days', this.choices);
  }

  private readonly choose = (days: string) => {
    toAddress({ days: days === this.choices[0] ? null : days });
    void this.figures.reload();
  };

  render(content: (figures: T) => unknown) {
    const values = this.choices
      .toSorted((a, b) => Number(a) - Number(b))
      .map((days) => [days, t('run.days', { days: Number(days) })] as const);
    return html`<div class="controls">
        ${choice({ label: t('usage.window'), name: 'days', values, chosen: this.days, onChoose: this.choose })}
      </div>
      ${this.figures.render(content)}`;
  }
}
