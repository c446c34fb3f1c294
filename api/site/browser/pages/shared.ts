/** A backtest (`/r/SLUG`), a portfolio (`/p/SLUG`), or outcomes (`/o/SLUG`) that somebody has shared: the report, read-only. */
import '../shell.ts';
import '../tool.ts';
import '../elements/outcome-report.ts';
import '../elements/portfolio-report.ts';
import '../elements/run-report.ts';
import type { ReactiveControllerHost } from 'lit';
import { customElement } from 'lit/decorators.js';
import { pathParameter } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { html, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { Load } from '../load.ts';
import { BACKTEST } from '../run/backtest.ts';
import type { RunKind } from '../run/kind.ts';
import { OUTCOMES } from '../run/outcomes.ts';
import { PORTFOLIO } from '../run/portfolio.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';
import { reportShape } from '../workspace.ts';

@customElement('shared-page')
export class SharedPage extends SiteElement {
  private readonly content = contentOf(this);

  override render() {
    return this.content();
  }
}

function contentOf(host: ReactiveControllerHost): () => unknown {
  switch (location.pathname.slice(0, 3)) {
    case '/p/':
      return sharedRun(
        host,
        PORTFOLIO,
        (result, body) => html`<portfolio-report .result=${result} .body=${body}></portfolio-report>`,
      );
    case '/o/':
      return sharedRun(
        host,
        OUTCOMES,
        (result, body) => html`<outcome-report .result=${result} .body=${body}></outcome-report>`,
      );
    default:
      return sharedRun(
        host,
        BACKTEST,
        (result, body) => html`<run-report .result=${result} .body=${body}></run-report>`,
      );
  }
}

/** Loads a shared run for its page. Returns a function that renders the page. */
function sharedRun<Body extends object, Result extends { readonly id: number | null }>(
  host: ReactiveControllerHost,
  kind: RunKind<Body, Result>,
  report: (result: Result, body: Body) => unknown,
): () => unknown {
  const shared = new Load(host, async () => {
    const [result, strategies] = await Promise.all([
      get<Result>(path(kind.api.shared, { slug: pathParameter() })),
      get<Strategies>('/api/backtest/strategies'),
    ]);
    return { result, strategies };
  });
  return () => {
    if (shared.result.state === 'loading') return html`${pageHead(kind.sharedHeading)}${reportShape()}`;
    if (shared.result.state === 'failed') {
      const { error } = shared.result;
      return isGone(error) ? gone(kind) : html`${pageHead(kind.sharedHeading)}${failure(error, shared.reload)}`;
    }
    const { result, strategies } = shared.result.value;
    const body = kind.bodyOf(result);
    return html`${pageHead(kind.title(result, strategies), {
      actions: html`<a class="button primary" href=${`${kind.page}?${kind.queryOf(body)}`}>${t('run.try')}</a>`,
    })}
      ${report(result, body)}`;
  };
}

const isGone = (error: unknown) => error instanceof ApiError && [404, 422].includes(error.status);

function gone({ page, heading }: { readonly page: string; readonly heading: string }) {
  return html`${pageHead(t('shared.gone'))}<p>${t('shared.gone.text')}</p><p><a href=${page}>${heading}</a></p>`;
}
