/** Figures of the days before today that the reader chooses; the address has their number. */
import { choiceFromAddress, followAddress, toAddress } from '../address.ts';
import { choice } from '../controls.ts';
import { html, type SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { t } from '../tool-text.ts';

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
