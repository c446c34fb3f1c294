/** A button that copies a text, and confirms that it has. */
import { customElement, property, state } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { t } from '../text.ts';

const CONFIRMED_MS = 2_000;

@customElement('copy-button')
export class CopyButton extends SiteElement {
  @property() text!: string;
  /** Whether it is what its reader came for. */
  @property({ attribute: false }) isMain = false;
  @state() isCopied = false;

  private readonly copy = async () => {
    await navigator.clipboard.writeText(this.text);
    this.isCopied = true;
    setTimeout(() => {
      this.isCopied = false;
    }, CONFIRMED_MS);
  };

  override render() {
    return html`<button type="button" class=${this.isMain ? 'primary' : ''} @click=${this.copy}><span aria-live="polite">${this.isCopied ? t('word.copied') : t('word.copy')}</span></button>`;
  }
}
