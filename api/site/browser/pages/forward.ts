/** The sealed runs of an account, and how each goes on; under `/f/SLUG` one that somebody has shared. */
import '../shell.ts';
import '../tool.ts';
import '../elements/data-table.ts';
import '../elements/forward-record.ts';
import { customElement, state } from 'lit/decorators.js';
import { followAddress, fromAddress, pathParameter } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { ask } from '../elements/ask.ts';
import { type Column, changeColumn, numberColumn } from '../elements/data-table.ts';
import { pageHead } from '../head.ts';
import { AbortScope, Attempt, Load } from '../load.ts';
import { shareNotice } from '../notices.ts';
import { locale } from '../page-locale.ts';
import { runJob } from '../run/call.ts';
import { get, post, signedInAs } from '../session.ts';
import { accountNeeded, failure } from '../states.ts';
import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Forward, ForwardDetail, Forwards, Sharing } from '../types.ts';

const ONE = '/v1/my/forward/{id}';
const SHOWN = 100;
const IS_SHARED = location.pathname.startsWith('/f/');

type Shown = Omit<ForwardDetail, 'id' | 'shared'>;

const COLUMNS: readonly Column<Forward>[] = [
  {
    key: 'name',
    title: t('forward.record'),
    value: ({ name }) => name,
    cell: ({ id, name }) => html`<a href=${`/forward?id=${id}`}>${name}</a>`,
  },
  { key: 'status', title: t('forward.status'), value: ({ status }) => t(`forward.status.${status}`) },
  {
    key: 'sealed',
    title: t('forward.sealed_on'),
    value: ({ sealed_at: at }) => at,
    cell: ({ sealed_at: at }) => day(at.slice(0, 10)),
  },
  numberColumn('sessions', t('forward.sessions'), ({ sessions }: Forward) => sessions),
  changeColumn('growth', t('forward.growth'), ({ live }: Forward) => live && 100 * (live.growth - 1)),
  numberColumn('place', t('forward.place'), ({ live }: Forward) => live?.place?.rank ?? null),
];

@customElement('forward-page')
export class ForwardPage extends SiteElement {
  @state() sharing: Sharing | null = null;
  private readonly changing = new Attempt(this);
  private readonly work = new AbortScope(this);
  private readonly records = new Load(this, async () =>
    IS_SHARED || signedInAs() === null ? null : get<Forwards>('/v1/my/forward', { query: { size: SHOWN, locale } }),
  );
  private readonly record = new Load(this, async (): Promise<Shown | null> => {
    if (IS_SHARED) return get<Shown>(path('/v1/forward/{slug}', { slug: pathParameter() }), { query: { locale } });
    const id = fromAddress('id');
    return id === null || signedInAs() === null ? null : get<Shown>(path(ONE, { id }), { query: { locale } });
  });

  constructor() {
    super();
    followAddress(this, () => {
      this.sharing = null;
      void this.record.reload();
    });
  }

  override render() {
    if (IS_SHARED) return this.record.render((record) => record && this.shown(record, nothing), gone);
    if (signedInAs() === null) return html`${pageHead(t('page.forward'))}${accountNeeded(this.reload)}`;
    return this.record.render((record) => (record ? this.own(record) : this.list()));
  }

  private readonly reload = async () => {
    await Promise.all([this.records.reload(), this.record.reload()]);
  };

  private list() {
    return html`${pageHead(t('page.forward'))}
      ${this.records.render((records) =>
        records === null || records.total === 0
          ? html`<div class="state"><h2>${t('forward.none')}</h2><p>${t('forward.none.text')}</p><p><a href="/backtest">${t('nav.backtest')}</a></p></div>`
          : html`<data-table .columns=${COLUMNS} .rows=${records.items} caption=${t('page.forward')}></data-table>`,
      )}`;
  }

  private own(record: Shown) {
    const at = (action: string) => `${path(ONE, { id: fromAddress('id') ?? '' })}/${action}`;
    const share = (shared: boolean) => () =>
      this.changing.make(async () => {
        this.sharing = await post<Sharing>(at('share'), { shared });
      });
    const stop = async () => {
      const question = { title: t('forward.stop'), text: t('forward.stop.sure'), action: t('forward.stop') };
      if ((await ask(question)) && (await this.changing.make(() => post(at('stop'), {})))) await this.reload();
    };
    const anew = () =>
      this.changing.make(async () => {
        const { signal } = this.work;
        const run = { forward: Number(fromAddress('id')) };
        const sealed = await runJob<ForwardDetail>('/v1/my/forward', { run }, signal);
        history.pushState(null, '', `/forward?id=${sealed.id}`);
        await this.reload();
      });
    const isOver = record.status === 'stopped' || record.status === 'abandoned';
    return html`${this.shown(
      record,
      html`${isOver ? nothing : html`<button @click=${stop}>${t('forward.stop')}</button>`}
        ${record.status === 'live' ? nothing : html`<button ?disabled=${this.changing.isBusy} @click=${anew}>${t('forward.anew')}</button>`}
        <button class="primary" @click=${share(true)}>${t('run.share')}</button>`,
      html`${shareNotice(this.sharing, share(false))} ${this.changing.failure()}`,
    )}
      <p class="small"><a href="/forward">${t('page.forward')}</a></p>`;
  }

  private shown(record: Shown, actions: unknown, messages: unknown = nothing) {
    const about = t('forward.about', {
      kind: record.kind === 'portfolio' ? t('page.portfolio') : t('page.backtest'),
      date: day(record.sealed_at.slice(0, 10)),
    });
    return html`${pageHead(record.name, { about, actions })} ${messages}
      <forward-record .record=${record}></forward-record>`;
  }
}

function gone(error: unknown, retry: () => unknown) {
  if (!(error instanceof ApiError && [404, 422].includes(error.status))) return failure(error, retry);
  return html`${pageHead(t('forward.gone'))}<p>${t('forward.gone.text')}</p>`;
}
