/** The drawings of a reader over a chart. */
import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { DRAWN_KINDS, type DrawnShape } from '../charts/drawn-shapes.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Attempt } from '../load.ts';
import { get, post, remove, signedInAs, signIn } from '../session.ts';
import { settle } from '../states.ts';
import { t } from '../text.ts';
import type { Drawings } from '../types.ts';

type Drawn = Drawings['items'][number];
type Point = DrawnShape['points'][number];

/** Fires `drawn` with all drawings when they change. */
@customElement('chart-drawings')
export class ChartDrawings extends SiteElement {
  @property() symbol = '';
  @state() drawings: readonly Drawn[] = [];
  /** The shape that is being drawn; null: none. */
  @state() kind: DrawnShape['kind'] | null = null;
  @state() first: Point | null = null;
  private readonly changing = new Attempt(this);

  override connectedCallback(): void {
    super.connectedCallback();
    if (signedInAs() !== null) void this.load();
  }

  private get address(): string {
    return path('/v1/my/drawings/{symbol}', { symbol: this.symbol });
  }

  private async load(): Promise<void> {
    const kept = await settle(get<Drawings>(this.address));
    if (kept.state === 'loaded') this.show(kept.value.items);
  }

  private show(drawings: readonly Drawn[]): void {
    this.drawings = drawings;
    this.dispatchEvent(new CustomEvent('drawn', { detail: drawings.map(({ shape }) => shape) }));
  }

  private async change(work: () => Promise<readonly Drawn[]>): Promise<void> {
    await this.changing.make(async () => this.show(await work()));
  }

  private readonly removeLast = () => {
    const kept = this.drawings.slice(0, -1);
    const { id } = this.drawings[kept.length];
    return this.change(async () => {
      await remove(`${this.address}/${id}`);
      return kept;
    });
  };

  /** A click on the chart. */
  pick(point: Point): void {
    const { kind, first } = this;
    if (kind === null) return;
    if (kind === 'level') this.end({ kind, points: [point], note: '' });
    else if (first === null) this.first = point;
    else this.end({ kind, points: [first, point], note: '' });
  }

  private end(shape: DrawnShape): void {
    this.kind = null;
    this.first = null;
    void this.change(async () => [...this.drawings, await post<Drawn>(this.address, { shape })]);
  }

  private readonly choose = async (kind: DrawnShape['kind']) => {
    if (signedInAs() === null) {
      if (!(await signIn())) return;
      await this.load();
    }
    this.kind = this.kind === kind ? null : kind;
    this.first = null;
  };

  override render() {
    const { drawings, kind } = this;
    return html`<details class="draw">
      <summary>${t('symbol.draw')}${drawings.length > 0 ? ` (${drawings.length})` : nothing}</summary>
      <div class="row">
        ${DRAWN_KINDS.map((one) => html`<button aria-pressed=${one === kind} @click=${() => this.choose(one)}>${t(`symbol.draw.${one}`)}</button>`)}
        ${drawings.length === 0 ? nothing : html`<button @click=${this.removeLast}>${t('symbol.draw.remove_last')}</button>`}
        <span class="muted" role="status">${this.hint()}</span>
      </div>
    </details>
    ${this.changing.failure()}`;
  }

  private hint(): string {
    if (this.kind === null) return '';
    if (this.kind === 'level') return t('symbol.draw.pick_level');
    return t(this.first === null ? 'symbol.draw.pick_first' : 'symbol.draw.pick_second');
  }
}
