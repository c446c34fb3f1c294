/** The base of pages of runs that somebody has shared: the same report, read-only. */
import { html } from 'lit';
import { state } from 'lit/decorators.js';
import { pathParameter } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { SiteElement } from '../element.ts';
import { get } from '../session.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { t } from '../text.ts';
import type { Strategies } from '../types.ts';
import type { AnyResult, RunKind } from './kind.ts';
import type { Made } from './run-page.ts';

interface Shared<Result> {
  readonly result: Result;
  readonly strategies: Strategies;
}

export abstract class SharedPage<Body extends object, Result extends AnyResult> extends SiteElement {
  @state() shared: Loaded<Shared<Result>> = LOADING;

  protected abstract readonly kind: RunKind<Body, Result>;

  protected abstract report(made: Made<Body, Result>): unknown;

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  private readonly load = async (): Promise<void> => {
    const work = Promise.all([
      get<Result>(path(this.kind.api.shared, { slug: pathParameter() })),
      get<Strategies>('/api/backtest/strategies'),
    ]);
    this.shared = await outcome(work.then(([result, strategies]) => ({ result, strategies })));
  };

  override render() {
    const { shared, kind } = this;
    if (shared.state === 'loading') return html`<h1>${kind.sharedHeading}</h1>${loading()}`;
    if (shared.state === 'failed') return isGone(shared.error) ? this.gone() : failure(shared.error, this.load);
    const { result, strategies } = shared.value;
    const body = kind.bodyOf(result);
    return html`<div class="row spread page-head">
        <h1>${kind.title(result, strategies)}</h1>
        <a class="button primary" href=${`${kind.page}?${kind.queryOf(body)}`}>${t('run.try')}</a>
      </div>
      ${this.report({ body, result })}`;
  }

  private gone() {
    const { page, heading } = this.kind;
    return html`<h1>${t('shared.gone')}</h1><p>${t('shared.gone.text')}</p><p><a href=${page}>${heading}</a></p>`;
  }
}

const isGone = (error: unknown) => error instanceof ApiError && [404, 422].includes(error.status);
