/** Published predictors beside what they give in this market. */
import '../shell.ts';
import '../tool.ts';
import '../elements/claim-table.ts';
import { customElement } from 'lit/decorators.js';
import { followAddress, fromAddress, toAddress } from '../address.ts';
import { fieldsOf, html, nothing, SiteElement, textIn } from '../dom.ts';
import { type Filter, filterField } from '../elements/filtered-list.ts';
import { pageHead } from '../head.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { listed, number, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Claim, Claims } from '../types.ts';

/** Pause before figures that are being computed are asked for again. */
const PAUSE_MS = 10_000;

const chosenIn = ({ name }: Filter) => fromAddress(name) ?? '';

@customElement('claims-page')
export class ClaimsPage extends SiteElement {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly claims = new Load(this, () => get<Claims>('/v1/claims'), {
    use: ({ universe }) => {
      clearTimeout(this.timer);
      if (universe === null && this.isConnected) this.timer = setTimeout(this.claims.reload, PAUSE_MS);
    },
  });

  constructor() {
    super();
    followAddress(this, () => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  override render() {
    return html`${pageHead(t('page.claims'))}
      <p>${t('claims.lead')}</p>
      ${this.claims.render((claims) => this.content(claims))}`;
  }

  private content(claims: Claims) {
    const filters = filtersOf(claims);
    const change = (event: Event) => {
      event.preventDefault();
      const given = fieldsOf(event);
      toAddress(Object.fromEntries(filters.map(({ name }) => [name, textIn(given, name)])), false);
      this.requestUpdate();
    };
    const shown = matching(claims.items, filters);
    return html`${claims.universe === null ? html`<p class="notice" role="status">${t('claims.computing')}</p>` : overall(claims)}
      <form class="fields" role="search" @submit=${change} @input=${change}>
        ${filters.map((filter) => filterField(filter, chosenIn(filter)))}
      </form>
      <p class="muted small">${t('claims.legend')}</p>
      ${shown.length === 0 ? html`<p class="muted" role="status">${t('claims.nothing')}</p>` : html`<claim-table .claims=${shown}></claim-table>`}`;
  }
}

/** The claims that are above zero beside those that chance would give, and the universe. */
function overall({ items, universe, overall }: Claims) {
  const { instruments = 0, first = null, last = null } = universe ?? {};
  const { tested = 0, above = 0, superior = null } = overall ?? {};
  const names = items.filter(({ code }) => superior?.includes(code)).map(({ name }) => name);
  const sentences =
    tested === 0
      ? [t('claims.untested')]
      : [
          t('claims.overall', { above, tested, share: number((100 * above) / tested, 0) }),
          ...(superior === null
            ? []
            : [t('claims.superior', { names: names.length === 0 ? t('word.none') : listed(names) })]),
        ];
  return html`<p>${sentences.join(wordSpace)}</p>
    ${first === null || last === null ? nothing : html`<p class="muted small">${t('claims.universe', { instruments, first, last })}</p>`}`;
}

/** Words and grades that are there can be chosen. */
function filtersOf({ items }: Claims): readonly Filter[] {
  const words = items.flatMap(({ newest }): [string, string][] => {
    const { word, words } = newest ?? {};
    return word && words ? [[word, word === 'too_short' ? t('claims.too_short') : words]] : [];
  });
  const grades = new Set(items.flatMap(({ grade }) => grade ?? []));
  return [
    { name: 'q', label: t('claims.search'), type: 'search' },
    { name: 'word', label: t('claims.words'), type: 'select', values: [...new Map(words)] },
    {
      name: 'grade',
      label: t('claims.grade'),
      type: 'select',
      values: [...grades].toSorted().map((grade) => [grade, grade]),
    },
    {
      name: 'order',
      label: t('claims.order'),
      type: 'select',
      values: [['t', t('claims.order.t')]],
      otherwise: t('claims.order.subject'),
    },
  ];
}

const tOf = ({ newest }: Claim) => newest?.rows[0].t_nw ?? Number.NEGATIVE_INFINITY;

function matching(items: readonly Claim[], filters: readonly Filter[]): readonly Claim[] {
  const [name, word, grade, order] = filters.map(chosenIn);
  const found = items.filter(
    (claim) =>
      `${claim.name} ${claim.authors}`.toLowerCase().includes(name.toLowerCase()) &&
      [claim.newest?.word, ''].includes(word) &&
      [claim.grade, ''].includes(grade),
  );
  return order === 't' ? found.toSorted((a, b) => tOf(b) - tOf(a)) : found;
}
