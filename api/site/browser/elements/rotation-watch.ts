/** A form that watches a kept rotation: what it buys and sells at each rebalance becomes a signal. */
import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldsOf, SiteElement } from '../dom.ts';
import { post } from '../session.ts';
import { inlineFailure, settle } from '../states.ts';
import { t } from '../tool-text.ts';
import type { Watch } from '../types.ts';

@customElement('rotation-watch')
export class RotationWatch extends SiteElement {
  /** The id of the kept rotation. */
  @property({ attribute: false }) keptId!: number;
  @state() watch: Watch | null = null;
  @state() problem: unknown = null;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('keptId')) return;
    this.watch = null;
    this.problem = null;
  }

  private readonly submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    const body = { name: String(form.get('name')).trim(), portfolio: this.keptId, mail: form.has('mail') };
    const result = await settle(post<Watch>('/v1/my/watches', body));
    this.problem = result.state === 'failed' ? result.error : null;
    if (result.state === 'loaded') this.watch = result.value;
  };

  override render() {
    const { watch } = this;
    if (watch !== null) {
      return html`<p class="notice" role="status">${t('strategies.watched', { name: watch.name })} <a href="/signals">${t('page.signals')}</a></p>`;
    }
    return html`<form class="row one-line" @submit=${this.submit} aria-label=${t('rotation.watch')}>
      <label class="field"><span>${t('rotation.watch.name')}</span><input name="name" required maxlength="100" autocomplete="off" /></label>
      <label class="field check"><input type="checkbox" name="mail" /><span>${t('signals.mail')}</span></label>
      <button>${t('rotation.watch')}</button>
    </form>
    ${inlineFailure(this.problem)}`;
  }
}
