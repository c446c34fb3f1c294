/** Pages of runs that somebody has shared: the same report, read-only. */
import { html, type ReactiveControllerHost } from 'lit';
import { pathParameter } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { failure, loading } from '../states.ts';
import { t } from '../text.ts';
import type { Strategies } from '../types.ts';
import type { AnyResult, RunKind } from './kind.ts';

interface Shared<Result> {
  readonly result: Result;
  readonly strategies: Strategies;
}

export function loadShared<Body extends object, Result extends AnyResult>(
  host: ReactiveControllerHost,
  { api }: RunKind<Body, Result>,
): Load<Shared<Result>> {
  return new Load<Shared<Result>>(host, async () => {
    const [result, strategies] = await Promise.all([
      get<Result>(path(api.shared, { slug: pathParameter() })),
      get<Strategies>('/api/backtest/strategies'),
    ]);
    return { result, strategies };
  });
}

export function sharedPage<Body extends object, Result extends AnyResult>(
  kind: RunKind<Body, Result>,
  { result: shared, again }: Load<Shared<Result>>,
  report: (result: Result, body: Body) => unknown,
) {
  if (shared.state === 'loading') return html`<h1>${kind.sharedHeading}</h1>${loading()}`;
  if (shared.state === 'failed') return isGone(shared.error) ? gone(kind) : failure(shared.error, again);
  const { result, strategies } = shared.value;
  const body = kind.bodyOf(result);
  return html`<div class="row spread page-head">
      <h1>${kind.title(result, strategies)}</h1>
      <a class="button primary" href=${`${kind.page}?${kind.queryOf(body)}`}>${t('run.try')}</a>
    </div>
    ${report(result, body)}`;
}

const isGone = (error: unknown) => error instanceof ApiError && [404, 422].includes(error.status);

function gone({ page, heading }: { readonly page: string; readonly heading: string }) {
  return html`<h1>${t('shared.gone')}</h1><p>${t('shared.gone.text')}</p><p><a href=${page}>${heading}</a></p>`;
}
