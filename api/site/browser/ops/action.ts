/** An action of a section of the on-call page: sent, answered with a message or an error, and followed by a reload of the page. */
import { path } from '../api.ts';
import { html, nothing } from '../dom.ts';
import { ask, type Question } from '../elements/ask.ts';
import { Attempt } from '../load.ts';
import { post } from '../session.ts';
import { day, textOr } from '../text.ts';
import { t } from '../tool-text.ts';

export class Action extends Attempt {
  private message = '';

  /** Does the work, and shows that it is done, or its error. */
  async run<T>(done: string | ((result: T) => string), work: () => Promise<T>): Promise<boolean> {
    this.message = '';
    const isDone = await this.make(async () => {
      const result = await work();
      this.message = typeof done === 'string' ? done : done(result);
    });
    this.host.dispatchEvent(new CustomEvent('changed', { bubbles: true }));
    return isDone;
  }

  /** The same once the reader has confirmed it. */
  async confirm(question: Question, done: string, work: () => Promise<unknown>): Promise<void> {
    if (await ask(question)) await this.run(done, work);
  }

  /** Releases a held session to the screener; `problems`: why it is held. */
  release(date: string, problems: string): Promise<void> {
    const named = { date: day(date) };
    const question = { title: t('ops.release.session', named), text: problems, action: t('ops.release') };
    const address = path('/api/admin/data/calendar/{date}/release', { date });
    return this.confirm(question, t('ops.released', named), () => post(address, {}));
  }

  override clear(): void {
    this.message = '';
    super.clear();
  }

  feedback() {
    return html`${this.failure()}<p class=${this.message === '' ? 'visually-hidden' : 'notice'} role="status">${this.message || nothing}</p>`;
  }
}

/** The steps of the runbook, from the address of their section: `ops/docs/RUNBOOK.md#loads`. */
export function advice(runbook: string): string {
  const section = runbook.slice(runbook.indexOf('#') + 1);
  return textOr(`ops.advice.${section}`, t('ops.advice.other', { section: runbook }));
}
