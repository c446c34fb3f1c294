/** Published claims, each a line from what was published to the words about ours, which opens. */
import { customElement, property, state } from 'lit/decorators.js';
import { fromAddress, toAddress } from '../address.ts';
import { scrollTable } from '../controls.ts';
import { html, nothing, SiteElement, svg } from '../dom.ts';
import { fixed, listed, number, percent, withMinus, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Claim } from '../types.ts';
import { claimDetail, type Mean, meanText } from './claim-detail.ts';

type Computed = NonNullable<Claim['newest']>;

const HEADS = [
  'claims.claim',
  'claims.published',
  'claims.expected',
  'claims.ours',
  'claims.months',
  'claims.grade',
  'claims.words',
] as const;

@customElement('claim-table')
export class ClaimTable extends SiteElement {
  @property({ attribute: false }) claims: readonly Claim[] = [];
  /** The code of the claim that is open. */
  @state() open = fromAddress('code');

  override render() {
    const lines = html`<thead><tr>${HEADS.map((head) => html`<th scope="col">${t(head)}</th>`)}</tr></thead>
      ${this.claims.map((claim) => this.claim(claim))}`;
    return scrollTable(t('page.claims'), 'claims', lines);
  }

  private claim(claim: Claim) {
    const { code, name, authors, year, journal, newest } = claim;
    const isOpen = this.open === code;
    const toggle = () => {
      this.open = isOpen ? null : code;
      toAddress({ code: this.open }, false);
    };
    return html`<tbody>
      <tr>
        <th scope="row"><button class="quiet" lang="en" aria-expanded=${isOpen} @click=${toggle}>${name}</button>
          <small lang="en">${authors} (${year}), ${journal}</small></th>
        ${published(claim)} ${newest === null ? html`<td colspan="5">${absent(claim)}</td>` : computed(claim, newest)}
      </tr>
      ${isOpen ? html`<tr><td colspan=${HEADS.length}>${claimDetail(claim)}</td></tr>` : nothing}
    </tbody>`;
  }
}

/** A cell whose title stands beside it where there is no head. */
const cell = (head: (typeof HEADS)[number], content: unknown) => html`<td data-title=${t(head)}>${content}</td>`;

function published({ published: { monthly_pct, t: ofPaper, cell: place }, sample }: Claim) {
  const inBrackets = ofPaper === null ? '' : ` (${fixed(ofPaper)})`;
  const figure = monthly_pct === null && ofPaper !== null ? t('claims.no_return') : percent(monthly_pct);
  return cell(
    'claims.published',
    html`${figure}${inBrackets} <small lang="en">${place}, ${sample.start}–${sample.end}</small>`,
  );
}

function computed({ published, grade, why }: Claim, { rows: [row], expected_pct, words }: Computed) {
  const ours = html`${meanText(row)} ${intervalBar(row, published.monthly_pct, expected_pct)}`;
  return html`${cell('claims.expected', percent(expected_pct))} ${cell('claims.ours', ours)} ${cell('claims.months', number(row.months))}
    ${cell('claims.grade', html`${grade} <small>${t('claims.reasons', { count: why?.length ?? 0 })}</small>`)}
    ${cell('claims.words', words === null ? t('claims.no_month') : withMinus(words))}`;
}

/** Why there is no figure of ours. */
function absent({ missing, needs }: Claim) {
  if (missing.length > 0)
    return html`${t('claims.needs', { names: listed(missing) })}${wordSpace}<a href="/columns">${t('page.columns')}</a>`;
  return t(needs.length > 0 ? 'claims.runnable' : 'claims.uncomputed');
}

const BAR = { width: 120, height: 16 };
/** Percent a month at both ends of every bar, so that a reader can compare them. */
const ENDS = [-2, 3] as const;

/** The interval with its mean, a diamond at what was published, and a mark at what is expected. */
function intervalBar({ mean_pct, interval_pct }: Mean, published: number | null, expected: number | null) {
  const { width, height } = BAR;
  const [low, high] = ENDS;
  if (typeof interval_pct?.[0] !== 'number') return nothing;
  const x = (pct: number | null) =>
    Math.round(4 + ((Math.min(high, Math.max(low, pct ?? 0)) - low) / (high - low)) * (width - 8));
  const [from, to] = interval_pct.map(x);
  return html`<svg class="interval-bar" width=${width} height=${height} aria-hidden="true">
    ${svg`<line class="zero" x1=${x(0)} x2=${x(0)} y1="0" y2=${height} /><line x1=${from} x2=${to} y1="8" y2="8" />
      <circle cx=${x(mean_pct)} cy="8" r="3" />
      ${published === null ? nothing : svg`<path class="published" d=${`M${x(published)} 4l4 4l-4 4l-4-4z`} />`}
      ${expected === null ? nothing : svg`<path class="expected" d=${`M${x(expected)} 10v6`} />`}`}
  </svg>`;
}
