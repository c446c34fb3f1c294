/** The parts of a report in a bar that stays in sight: by pointer, by the keys 1 to 9, and by the place in the address. */
import { customElement, property, state } from 'lit/decorators.js';
import { html, isTyping, nothing, SiteElement } from '../dom.ts';
import { t } from '../tool-text.ts';

export interface Part {
  /** That of the element it begins with; also its place in the address. */
  readonly id: string;
  readonly title: string;
}

/** Pixels from the top of the window at which a part is the current one. */
const READ_AT = 140;

@customElement('report-contents')
export class ReportContents extends SiteElement {
  @property({ attribute: false }) parts: readonly Part[] = [];
  @state() current = '';

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('scroll', this.follow, { passive: true });
    addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('scroll', this.follow);
    removeEventListener('keydown', this.onKey);
  }

  /** The report is drawn after its contents. */
  protected override firstUpdated(): void {
    requestAnimationFrame(() => {
      const named = this.parts.find(({ id }) => `#${id}` === location.hash);
      if (named) this.goTo(named);
      else this.follow();
    });
  }

  private readonly follow = (): void => {
    const isRead = ({ id }: Part) => (document.getElementById(id)?.getBoundingClientRect().top ?? READ_AT) < READ_AT;
    this.current = (this.parts.findLast(isRead) ?? this.parts[0])?.id ?? '';
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const part = /^[1-9]$/.test(event.key) ? this.parts[Number(event.key) - 1] : undefined;
    if (part && !isTyping(event) && !(event.ctrlKey || event.metaKey || event.altKey)) this.goTo(part);
  };

  /** Another step of the history would let the page read its address again. */
  private goTo({ id }: Part): void {
    const place = document.getElementById(id);
    if (place === null) return;
    history.replaceState(history.state, '', `#${id}`);
    place.tabIndex = -1;
    place.scrollIntoView({ block: 'start' });
    place.focus({ preventScroll: true });
    this.current = id;
  }

  override render() {
    const go = (part: Part) => (event: Event) => {
      event.preventDefault();
      this.goTo(part);
    };
    return html`<nav class="report-parts" aria-label=${t('contents')}>
      ${this.parts.map((part) => html`<a href=${`#${part.id}`} aria-current=${part.id === this.current ? 'true' : nothing} @click=${go(part)}>${part.title}</a>`)}
    </nav>`;
  }
}
