/** The command palette: finds instruments, places, actions, rule functions, operations of the API, and articles, and opens them. */
import '../tool.ts';
import { customElement, state } from 'lit/decorators.js';
import { fieldValue, find, html, SiteElement } from '../dom.ts';
import { AbortScope } from '../load.ts';
import { type Entry, entriesOfApi, entriesOfPage, GROUPS, runsLike } from '../palette-entries.ts';
import { t } from '../text.ts';

const PAUSE_MS = 120;

@customElement('command-palette')
export class CommandPalette extends SiteElement {
  @state() typed = '';
  @state() entries: readonly Entry[] = [];
  @state() current = 0;
  @state() state: 'asking' | 'found' | 'failed' = 'found';
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the first entry is opened as soon as it is found: the reader has pressed Enter already. */
  private isHasty = false;
  private readonly work = new AbortScope(this);

  private get dialog(): HTMLDialogElement {
    return find(this, 'dialog', HTMLDialogElement);
  }

  async open(): Promise<void> {
    await this.updateComplete;
    this.type('');
    await this.updateComplete;
    // A dialog that has opened since the key was pressed stays on top.
    if (document.querySelector('dialog[open]')) return;
    this.dialog.showModal();
    find(this, 'input', HTMLInputElement).focus();
  }

  private readonly onInput = (event: InputEvent) => this.type(fieldValue(event));

  private type(text: string): void {
    clearTimeout(this.timer);
    const signal = this.work.next();
    const typed = text.trim().toLowerCase();
    this.typed = text;
    this.isHasty = false;
    this.current = 0;
    this.entries = ordered(entriesOfPage(typed));
    this.state = typed === '' ? 'found' : 'asking';
    if (typed === '') void this.showRecent(signal);
    else this.timer = setTimeout(() => this.ask(typed, signal), PAUSE_MS);
  }

  /** Before anything is typed, the newest kept runs stand with the places. */
  private async showRecent(signal: AbortSignal): Promise<void> {
    const runs = await runsLike('', signal).catch(() => []);
    if (!signal.aborted) this.entries = ordered([...entriesOfPage(''), ...runs]);
  }

  private async ask(typed: string, signal: AbortSignal): Promise<void> {
    try {
      const found = await entriesOfApi(typed, signal);
      if (signal.aborted) return;
      this.entries = ordered([...entriesOfPage(typed), ...found]);
      this.state = 'found';
      if (this.isHasty) this.choose(this.entries[0]);
    } catch {
      if (!signal.aborted) this.state = 'failed';
    }
  }

  private readonly onKeydown = (event: KeyboardEvent) => {
    const { key, isComposing } = event;
    if (isComposing) return;
    const count = this.entries.length;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const step = key === 'ArrowDown' ? 1 : -1;
      if (count > 0) this.current = (this.current + step + count) % count;
    } else if (key === 'Enter') {
      event.preventDefault();
      if (count > 0) this.choose(this.entries[this.current]);
      else this.isHasty = this.state === 'asking';
    }
  };

  protected override updated(): void {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  private choose(entry: Entry | undefined): void {
    if (!entry) return;
    this.dialog.close();
    if (typeof entry.open === 'string') location.href = entry.open;
    else entry.open();
  }

  override render() {
    const { entries, current } = this;
    return html`<dialog class="palette" aria-label=${t('shell.search_or_jump')} @click=${this.onOutside}>
      <input
        type="text"
        role="combobox"
        aria-label=${t('shell.search_or_jump')}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant=${entries.length > 0 ? `palette-${current}` : ''}
        placeholder=${t('palette.placeholder')}
        autocomplete="off"
        spellcheck="false"
        .value=${this.typed}
        @input=${this.onInput}
        @keydown=${this.onKeydown}
      />
      <div id="palette-list" role="listbox" aria-label=${t('palette.found')}>
        ${GROUPS.map((group) => this.group(group))}
      </div>
      <p class=${entries.length > 0 && this.state !== 'failed' ? 'visually-hidden' : 'state-line'} role="status">${this.status()}</p>
    </dialog>`;
  }

  private group(group: Entry['group']) {
    const { entries, current } = this;
    if (!entries.some((entry) => entry.group === group)) return '';
    const title = t(`palette.group.${group}`);
    return html`<div role="group" aria-label=${title}>
      <div class="group-title" aria-hidden="true">${title}</div>
      ${entries.map((entry, i) =>
        entry.group === group
          ? html`<div id=${`palette-${i}`} role="option" aria-selected=${i === current} @click=${() => this.choose(entry)}>
              <span>${entry.name}</span><small>${entry.about}</small>
            </div>`
          : '',
      )}
    </div>`;
  }

  private readonly onOutside = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) this.dialog.close();
  };

  private status(): string {
    if (this.state === 'failed') return t('search.failed');
    if (this.state === 'asking') return t('state.loading');
    return this.entries.length === 0
      ? t('search.nothing', { text: this.typed })
      : t('search.count', { count: this.entries.length });
  }
}

/** In the order in which they are shown, which is that of the arrow keys. */
function ordered(entries: readonly Entry[]): readonly Entry[] {
  return GROUPS.flatMap((group) => entries.filter((entry) => entry.group === group));
}

let palette: CommandPalette | undefined;

export function openPalette(): Promise<void> {
  if (!palette) {
    palette = new CommandPalette();
    document.body.append(palette);
  }
  return palette.open();
}
