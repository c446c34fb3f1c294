/** Returns that were made elsewhere: their file, and what is judged of it. Nothing is kept. */
import '../shell.ts';
import '../tool.ts';
import '../elements/judge-report.ts';
import { customElement, state } from 'lit/decorators.js';
import { dataOf } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import '../elements/judge-form.ts';
import type { GivenRecord } from '../elements/judge-form.ts';
import { fieldErrorsOf } from '../elements/strategy-fields.ts';
import { withFile } from '../file-upload.ts';
import { pageHead } from '../head.ts';
import { loadForm } from '../load.ts';
import { awaitJob } from '../run/call.ts';
import { Latest } from '../run/latest.ts';
import { get, sendAsReader, signedInAs } from '../session.ts';
import { accountNeeded, failure } from '../states.ts';
import { number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Judgement, Strategies } from '../types.ts';
import { closeSetup, emptyResult, onceLoaded, refused, reportShape, setupButton, workspace } from '../workspace.ts';

const JUDGE = '/v1/judge';
/** Streams whose curves are asked for at most. */
const MOST_DETAILS = 20;

interface Judged {
  readonly result: Judgement;
  readonly record: GivenRecord;
}

@customElement('judge-page')
export class JudgePage extends SiteElement {
  /** How much of the file was sent; null: none is on its way. */
  @state() percent: number | null = null;
  /** Whether a guest has asked. */
  @state() isGuest = false;
  private readonly judged = new Latest<Judged>(this);
  private readonly strategies = loadForm(
    this,
    () => get<Strategies>('/api/backtest/strategies'),
    () => {},
  );
  private record: GivenRecord | null = null;

  private readonly submitted = ({ detail: record }: CustomEvent<GivenRecord>) => {
    closeSetup();
    return this.judge(record);
  };

  private readonly again = () => this.record && this.judge(this.record);

  private async judge(record: GivenRecord): Promise<void> {
    this.record = record;
    this.isGuest = signedInAs() === null;
    if (this.isGuest) return;
    await this.judged.follow(async (signal) => {
      const { file, query } = record;
      const { via, headers } = withFile(file, (share) => {
        this.percent = 100 * share;
      });
      try {
        const response = await sendAsReader('POST', JUDGE, { query, via, headers, signal });
        this.percent = null;
        const isQueued = response.status === 202;
        const result = await (isQueued ? awaitJob<Judgement>(response, signal) : dataOf<Judgement>(response));
        return { result, record };
      } finally {
        this.percent = null;
      }
    });
  }

  /** Judges again, with the curve of a stream. */
  private readonly detail = ({ detail: name }: CustomEvent<string>) => {
    const { shown } = this.judged;
    if (shown === null) return;
    const { record, result } = shown;
    const drawn = result.streams.filter(({ tear_sheet }) => tear_sheet.series !== null).map((stream) => stream.name);
    const names = [name, ...drawn].slice(0, MOST_DETAILS);
    return this.judge({ ...record, query: { ...record.query, detail: names.join(',') } });
  };

  override render() {
    return onceLoaded(this.strategies, t('page.judge'), (strategies) => this.page(strategies));
  }

  private page(strategies: Strategies) {
    const { judged } = this;
    return workspace({
      page: '/judge',
      head: this.head(),
      isBusy: judged.isBusy,
      stale: judged.stale,
      content: html`${this.happening(strategies)} ${this.report()}`,
      setup: html`<judge-form
        .strategies=${strategies}
        .fieldErrors=${fieldErrorsOf(judged.error, strategies)}
        .isBusy=${judged.isBusy}
        .shown=${judged.shown}
        @differ=${judged.differ}
        @run=${this.submitted}
      ></judge-form>`,
    });
  }

  private head() {
    const { shown } = this.judged;
    if (shown === null) return pageHead(t('page.judge'), { about: '\u00a0', actions: setupButton() });
    const { streams, account } = shown.result;
    const about = t('judge.about', { streams: streams.length, lines: account.lines });
    return pageHead(shown.record.file.name, { about, actions: setupButton() });
  }

  private happening(strategies: Strategies) {
    const { judged, percent, isGuest } = this;
    if (isGuest) return accountNeeded(this.again);
    if (judged.isBusy && percent !== null && percent < 100) {
      const words = t('judge.sending', { percent: number(percent, 0) });
      return html`<div class="state" role="status"><p>${words}</p><progress max="100" .value=${percent} aria-label=${words}></progress></div>`;
    }
    if (judged.isBusy) return judged.shown === null ? reportShape() : nothing;
    if (judged.state === 'done') return nothing;
    if (judged.state === 'none') return emptyResult(t('judge.empty'), t('judge.empty.text'));
    const errors = fieldErrorsOf(judged.error, strategies);
    return Object.keys(errors).length > 0 ? refused(errors) : failure(judged.error, this.again);
  }

  private report() {
    const { shown } = this.judged;
    return shown === null
      ? nothing
      : html`<judge-report .result=${shown.result} @detail=${this.detail}></judge-report>`;
  }
}
