/** A button that copies a text, and confirms that it has. */
import { customElement, property, state } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { t } from '../text.ts';

const CONFIRMED_MS = 2_000;

@customElement('copy-button')
export class CopyButton extends SiteElement {
  @property() text = '';
  /** Whether it copies the page as Markdown, in place of a text. */
  @property({ type: Boolean, attribute: 'of-page' }) isOfPage = false;
  @property() label = t('word.copy');
  /** Whether it is what its reader came for. */
  @property({ attribute: false }) isMain = false;
  @state() isCopied = false;

  private readonly copy = async () => {
    await navigator.clipboard.writeText(this.isOfPage ? await pageMarkdown() : this.text);
    this.isCopied = true;
    setTimeout(() => {
      this.isCopied = false;
    }, CONFIRMED_MS);
  };

  override render() {
    return html`<button type="button" class=${this.isMain ? 'primary' : ''} @click=${this.copy}><span aria-live="polite">${this.isCopied ? t('word.copied') : this.label}</span></button>`;
  }
}

async function pageMarkdown(): Promise<string> {
  const { pathname, search } = location;
  return (await fetch(`${pathname}.md${search}`)).text();
}
