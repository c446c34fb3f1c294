/** A list that an account changes: after each change it is read again, and shown as it is then. */

import type { SiteElement } from '../element.ts';
import { Load } from '../load.ts';
import { outcome } from '../states.ts';

export class AccountList<List> {
  /** The error of the last change. */
  error: unknown = null;
  isBusy = false;
  private readonly host: SiteElement;
  private readonly list: Load<List>;

  constructor(host: SiteElement, read: () => Promise<List>) {
    this.host = host;
    this.list = new Load(host, read);
  }

  /** Resolves with whether the change was made. */
  async change(work: () => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    this.host.requestUpdate();
    const result = await outcome(work());
    this.error = result.state === 'failed' ? result.error : null;
    this.isBusy = false;
    this.host.requestUpdate();
    if (result.state === 'failed') return false;
    await this.list.again();
    this.host.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }

  render(content: (list: List) => unknown) {
    return this.list.render(content);
  }
}
