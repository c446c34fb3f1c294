/** A question and its answer: each occasion of a condition, and the returns that followed. The address has the question, or a kept answer. */
import '../shell.ts';
import '../tool.ts';
import '../elements/outcome-form.ts';
import '../elements/outcome-report.ts';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { html, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { loadForm } from '../load.ts';
import { FIRST_QUESTION, OUTCOMES, type OutcomesBody, questionHref, questionIn } from '../run/outcomes.ts';
import { type FinishedRun, PageRun } from '../run/run-page.ts';
import { settingsInAddress } from '../run/specification.ts';
import { get, signedInAs } from '../session.ts';
import { accountNeeded } from '../states.ts';
import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Outcomes, Strategies } from '../types.ts';
import { closeSetup, emptyResult, onceLoaded, setupButton, workspace } from '../workspace.ts';

@customElement('outcomes-page')
export class OutcomesPage extends SiteElement {
  /** The initial values of the form. */
  @state() body = FIRST_QUESTION;
  private readonly run = new PageRun<OutcomesBody, Outcomes>(this, OUTCOMES, {
    readAddress: () => {
      const body = questionIn(settingsInAddress());
      this.body = body ?? FIRST_QUESTION;
      return signedInAs() === null ? null : body;
    },
    fill: (body) => {
      this.body = body;
    },
  });
  private readonly strategies = loadForm(this, () => get<Strategies>('/api/backtest/strategies'), this.run.begin);

  private readonly submitted = (event: CustomEvent<OutcomesBody>): Promise<void> => {
    closeSetup();
    if (signedInAs() !== null) return this.run.submitted(event);
    history.pushState(null, '', questionHref(event.detail));
    return this.run.begin();
  };

  override render() {
    return onceLoaded(this.strategies, OUTCOMES.heading, (strategies) => this.page(strategies));
  }

  private page(strategies: Strategies) {
    const { run } = this;
    return workspace({
      page: OUTCOMES.page,
      head: this.head(),
      isBusy: run.isBusy,
      stale: run.stale,
      content: run.outcome(strategies, () => this.unasked(), report),
      setup: keyed(
        this.body,
        html`<outcome-form
          .strategies=${strategies}
          .body=${this.body}
          .fieldErrors=${run.fieldErrors(strategies)}
          .isBusy=${run.isBusy}
          .shown=${run.shown}
          @differ=${run.differ}
          @run=${this.submitted}
        ></outcome-form>`,
      ),
    });
  }

  private head() {
    const { shown } = this.run;
    // An empty line keeps its room.
    if (shown === null) return pageHead(OUTCOMES.heading, { about: '\u00a0', actions: setupButton() });
    const { hits, days, instruments, first, last } = shown.result;
    return pageHead(OUTCOMES.heading, {
      about: t('outcomes.about', { hits, days, instruments, first: day(first), last: day(last) }),
      actions: html`${setupButton()} ${this.run.shareButton()} ${this.run.keepButton()}`,
    });
  }

  private unasked() {
    const isAsked = questionIn(settingsInAddress()) !== null;
    return isAsked ? accountNeeded(this.strategies.reuse) : emptyResult(t('outcomes.empty'), t('outcomes.empty.text'));
  }
}

function report({ body, result, keptId }: FinishedRun<OutcomesBody, Outcomes>) {
  return html`<outcome-report .result=${result} .body=${body} .keptId=${keptId} .isOwn=${true}></outcome-report>`;
}
