/** A question and its answer: each occasion of a condition, and the returns that followed. The address has the question. */
import '../shell.ts';
import '../tool.ts';
import '../elements/code-samples.ts';
import '../elements/outcome-form.ts';
import '../elements/outcome-report.ts';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { fieldErrorsOf } from '../elements/strategy-fields.ts';
import { pageHead } from '../head.ts';
import { loadForm } from '../load.ts';
import { runJob } from '../run/call.ts';
import { Latest } from '../run/latest.ts';
import { FIRST_QUESTION, type OutcomesBody, questionHref, questionIn } from '../run/outcomes.ts';
import { settingsInAddress } from '../run/specification.ts';
import { runSamples } from '../samples.ts';
import { get, signedInAs } from '../session.ts';
import { accountNeeded, failure } from '../states.ts';
import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Outcomes, Strategies } from '../types.ts';
import { closeSetup, emptyResult, onceLoaded, refused, reportShape, setupButton, workspace } from '../workspace.ts';

const OUTCOMES = '/v1/outcomes';

interface Answered {
  readonly result: Outcomes;
  readonly body: OutcomesBody;
}

@customElement('outcomes-page')
export class OutcomesPage extends SiteElement {
  /** The initial values of the form. */
  @state() body = FIRST_QUESTION;
  private readonly answer = new Latest<Answered>(this);
  private readonly strategies = loadForm(
    this,
    () => get<Strategies>('/api/backtest/strategies'),
    () => this.begin(),
  );

  /** Asks what the address asks. */
  private begin(): unknown {
    const body = questionIn(settingsInAddress());
    this.body = body ?? FIRST_QUESTION;
    return body === null || signedInAs() === null ? this.answer.clear() : this.ask(body);
  }

  private ask(body: OutcomesBody): Promise<void> {
    return this.answer.follow(async (signal) => ({ body, result: await runJob<Outcomes>(OUTCOMES, body, signal) }));
  }

  private readonly submitted = ({ detail: body }: CustomEvent<OutcomesBody>) => {
    closeSetup();
    history.pushState(null, '', questionHref(body));
    return signedInAs() === null ? this.begin() : this.ask(body);
  };

  override render() {
    return onceLoaded(this.strategies, t('page.outcomes'), (strategies) => this.page(strategies));
  }

  private page(strategies: Strategies) {
    const { answer } = this;
    return workspace({
      page: '/outcomes',
      head: this.head(),
      isBusy: answer.isBusy,
      stale: answer.stale,
      content: html`${this.happening(strategies)} ${this.report()}`,
      setup: keyed(
        this.body,
        html`<outcome-form
          .strategies=${strategies}
          .body=${this.body}
          .fieldErrors=${fieldErrorsOf(answer.error, strategies)}
          .isBusy=${answer.isBusy}
          .shown=${answer.shown}
          @differ=${answer.differ}
          @run=${this.submitted}
        ></outcome-form>`,
      ),
    });
  }

  private head() {
    const { shown } = this.answer;
    // An empty line keeps its room.
    if (shown === null) return pageHead(t('page.outcomes'), { about: '\u00a0', actions: setupButton() });
    const { hits, days, instruments, first, last } = shown.result;
    const about = t('outcomes.about', { hits, days, instruments, first: day(first), last: day(last) });
    return pageHead(t('page.outcomes'), { about, actions: setupButton() });
  }

  /** The question in progress, or why it failed, above the earlier answer. */
  private happening(strategies: Strategies) {
    const { answer } = this;
    if (answer.isBusy) return answer.shown === null ? reportShape() : nothing;
    if (answer.state === 'done') return nothing;
    if (answer.state === 'none')
      return questionIn(settingsInAddress()) === null
        ? emptyResult(t('outcomes.empty'), t('outcomes.empty.text'))
        : accountNeeded(this.strategies.reuse);
    const errors = fieldErrorsOf(answer.error, strategies);
    return Object.keys(errors).length > 0 ? refused(errors) : failure(answer.error, this.strategies.reuse);
  }

  private report() {
    const { shown } = this.answer;
    if (shown === null) return nothing;
    const { result, body } = shown;
    const samples = runSamples({
      url: `${location.origin}${OUTCOMES}`,
      body,
      needsKey: true,
      figures: ['hits', 'sentences'],
    });
    return html`<p><code>${body.condition}</code></p>
      <outcome-report .result=${result} .isCompared=${body.compare !== 'none'}></outcome-report>
      <h2 id="programs">${t('run.programs')}</h2>
      <code-samples .samples=${samples}></code-samples>`;
  }
}
