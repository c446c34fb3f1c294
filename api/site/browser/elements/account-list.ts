/** The base of lists that an account changes: after each change the list is read again, and shown as it is then. */
import { state } from 'lit/decorators.js';
import { SiteElement } from '../element.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';

export abstract class AccountList<List> extends SiteElement {
  @state() list: Loaded<List> = LOADING;
  /** The error of the last change. */
  @state() error: unknown = null;
  @state() isBusy = false;

  protected abstract read(): Promise<List>;

  protected abstract content(list: List): unknown;

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  protected readonly load = async (): Promise<void> => {
    this.list = await outcome(this.read());
  };

  /** Resolves with whether the change was made. */
  protected async change(work: () => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    const result = await outcome(work());
    this.error = result.state === 'failed' ? result.error : null;
    this.isBusy = false;
    if (result.state === 'failed') return false;
    await this.load();
    this.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }

  override render() {
    if (this.list.state === 'loading') return loading();
    if (this.list.state === 'failed') return failure(this.list.error, this.load);
    return this.content(this.list.value);
  }
}
