/** Everything that an account has kept, as one archive: asked for, followed, and saved. */

import { customElement, state } from 'lit/decorators.js';
import { ApiError } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { saveAnswer } from '../download.ts';
import { Attempt } from '../load.ts';
import { get, post } from '../session.ts';
import { fileSize, textOr, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { DataExport } from '../types.ts';

const DATA_EXPORT = '/api/account/data-export';
const POLL_MS = 2_000;

const isAwaited = ({ status }: DataExport) => status === 'pending' || status === 'running';

/** The newest archive; null: there is none. */
async function newest(): Promise<DataExport | null> {
  try {
    return await get<DataExport>(DATA_EXPORT);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

@customElement('account-data')
export class AccountData extends SiteElement {
  /** Null: none was asked for on this page. */
  @state() made: DataExport | null = null;
  private readonly work = new Attempt(this);
  private timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  /** Shows the archive that is there or being made, or has one made. */
  private readonly prepare = () =>
    this.work.make(async () => {
      const last = await newest();
      this.show(last && last.status !== 'failed' ? last : await post<DataExport>(DATA_EXPORT, {}));
    });

  private readonly renew = () => this.work.make(async () => this.show(await post<DataExport>(DATA_EXPORT, {})));

  private show(made: DataExport): void {
    this.made = made;
    if (isAwaited(made) && this.isConnected) this.timer = setTimeout(this.follow, POLL_MS);
  }

  private readonly follow = () => this.work.make(async () => this.show(await get<DataExport>(DATA_EXPORT)));
  private readonly download = () => this.work.make(() => saveAnswer('GET', `${DATA_EXPORT}/file`));

  override render() {
    const { made } = this;
    return html`${this.work.failure()}
      <div class="row">${made?.status === 'done' ? this.archive(made) : this.button(made)}</div>`;
  }

  private archive({ created_at, bytes }: DataExport) {
    const of = { at: utcTime(created_at), size: fileSize(bytes ?? 0) };
    return html`<button class="primary" ?disabled=${this.work.isBusy} @click=${this.download}>${t('data_export.download')}</button>
      <button ?disabled=${this.work.isBusy} @click=${this.renew}>${t('data_export.renew')}</button>
      <span role="status" class="muted">${t('data_export.made', of)}</span>`;
  }

  private button(made: DataExport | null) {
    const isWaiting = made !== null && isAwaited(made);
    return html`<button ?disabled=${this.work.isBusy || isWaiting} @click=${this.prepare}>${t('data_export.make')}</button>
      <span role="status" class="muted">${made ? textOr(`exports.status.${made.status}`, made.status) : nothing}</span>`;
  }
}
