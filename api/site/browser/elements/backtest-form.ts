/**
 * The set-up of a backtest: few fields first, and the others in groups that say what they are now. A change runs by itself after a
 * moment, unless `isAutomatic` is false. Fires `run` with the call.
 */

import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fieldValue, find, html, nothing, textIn } from '../dom.ts';
import { Fields } from '../fields.ts';
import type { BacktestBody } from '../run/backtest.ts';
import { exitWords } from '../run/setting-words.ts';
import { parametersIn, runIn, type Settings } from '../run/specification.ts';
import { t } from '../tool-text.ts';
import { endGroup, symbolField, tradeGroups } from './run-fields.ts';
import { RunFormElement } from './run-form.ts';
import { StrategyChoice } from './strategy-choice.ts';
import { isExit, type ParameterValues, typedParameters } from './strategy-fields.ts';

/** Milliseconds from the last change to the run. */
const PAUSE_MS = 800;

@customElement('backtest-form')
export class BacktestForm extends RunFormElement {
  /** The initial values of the form. */
  @property({ attribute: false }) settings!: Settings;
  /** Whether changes run by themselves; otherwise a button runs them. */
  @property({ attribute: false }) isAutomatic = true;
  private readonly choice = new StrategyChoice(this);
  /** The values typed so far, by strategy: switching there and back loses nothing. */
  private readonly typed = new Map<string, ParameterValues>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest call, as JSON. */
  private sent = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('settings')) return;
    this.choice.begin();
    this.typed.set(this.choice.code, parametersIn(this.settings));
  }

  protected override firstUpdated(): void {
    this.sent = JSON.stringify(this.read());
  }

  private get form(): HTMLFormElement {
    return find(this, 'form', HTMLFormElement);
  }

  private readonly onSwitch = (event: Event) => {
    this.typed.set(this.choice.code, typedParameters(this.choice.strategy, new FormData(this.form)));
    this.choice.choose(fieldValue(event));
  };

  private readonly sendNow = (event: SubmitEvent) => {
    event.preventDefault();
    this.send(this.read());
  };

  private read(): BacktestBody {
    return this.bodyOf(this.form, new FormData(this.form));
  }

  protected override bodyOf(form: HTMLFormElement, given: FormData): BacktestBody {
    const { choice } = this;
    return { symbol: textIn(given, 'symbol').toUpperCase(), ...choice.readRun(form), ...choice.readStrategy(given) };
  }

  private send(detail: BacktestBody): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sent = JSON.stringify(detail);
    this.changed.sent();
    this.dispatchEvent(new CustomEvent<BacktestBody>('run', { detail }));
  }

  /** Texts are complete when the reader leaves them: a ticker, and a rule. */
  private readonly onChange = ({ target, type }: Event) => {
    this.present.edited();
    const isText =
      target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
    if (isText && type === 'input') return;
    clearTimeout(this.timer);
    if (this.isAutomatic) this.timer = setTimeout(this.runChanged, PAUSE_MS);
  };

  /** Runs a change at once that waits for its moment. */
  runPending(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.runChanged();
  }

  private readonly runChanged = () => {
    this.timer = undefined;
    if (!this.isConnected || !this.form.checkValidity()) return;
    const body = this.read();
    if (body.symbol !== '' && JSON.stringify(body) !== this.sent) this.send(body);
  };

  /** Sets a parameter, and runs. */
  async choose(name: string, value: string): Promise<void> {
    find(this, `[name="p.${name}"]`, HTMLInputElement).value = value;
    this.send(this.read());
  }

  protected override get action() {
    return this.isAutomatic ? nothing : html`<button class="quiet">${this.runText}</button>`;
  }

  private get runText(): string {
    return this.isBusy ? t('form.running') : t('form.run');
  }

  override render() {
    const { choice } = this;
    const { code, strategy } = choice;
    const given = this.typed.get(code) ?? {};
    this.fields = new Fields(runIn(this.settings), this.fieldErrors);
    return html`<form @submit=${this.sendNow} @input=${this.onChange} @change=${this.onChange} @choose=${this.onChange}>
      ${symbolField(this)} ${choice.strategyField(this.onSwitch)}
      <p class="muted small">${strategy.description}</p>
      ${choice.rules()}
      ${keyed(code, html`<div class="pair">${choice.parameters(given, (name) => !isExit(name))}</div>`)}
      ${choice.rangeField()} ${this.groups(given)} ${this.fields.remaining()}
      ${this.isAutomatic ? html`<p class="muted small">${t('form.automatic')}</p>` : nothing}
      <button class="primary" ?hidden=${this.isAutomatic}>${this.runText}</button>
    </form>`;
  }

  private groups(given: ParameterValues) {
    const now = this.present.values;
    const exits = this.fields.group(t('form.exits'), exitWords(now), () => this.choice.parameters(given, isExit));
    return html`${tradeGroups(this, now)} ${keyed(this.choice.code, exits)} ${endGroup(this, now)}`;
  }
}
