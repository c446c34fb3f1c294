/** The account of the lines of a file of a column. */
import { html, nothing } from '../dom.ts';
import { listed, number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { WrittenColumn } from '../types.ts';

const SHOWN_LINES = 20;
const SHOWN_SYMBOLS = 20;
const COUNTS = ['lines', 'loaded', 'repeated', 'rejected', 'left_out'] as const;

type Account = WrittenColumn['account'];
type Tickers = WrittenColumn['unknown_symbols'];

export function lineAccount({ column, account, backfilled, ambiguous_symbols, unknown_symbols }: WrittenColumn) {
  const { by_reason: reasons, rejected_lines: bad, told } = account;
  return html`<section class="notice" role="status" aria-label=${t('columns.account')}>
    <h2>${t('columns.written', { name: column.name, version: column.version, rows: number(column.rows) })}</h2>
    <dl class="figures">${COUNTS.map((name) => html`<div><dt>${t(`columns.count.${name}`)}</dt><dd>${number(account[name])}</dd></div>`)}</dl>
    <ul class="plain small">
      ${Object.entries(reasons).map(([reason, count]) => html`<li>${reasonText(reason)}: ${number(count)}</li>`)}
      ${tickers('unknown', unknown_symbols)} ${tickers('ambiguous', ambiguous_symbols)}
      ${backfilled === 0 ? nothing : html`<li>${t('columns.backfilled', { count: backfilled })}</li>`}
      ${told.map((text) => html`<li>${text}</li>`)}
    </ul>
    ${bad.length === 0 ? nothing : rejected(bad)}
  </section>`;
}

function rejected(lines: Account['rejected_lines']) {
  return html`<h3>${t('columns.rejected')}</h3>
    <ul class="plain small">${lines.slice(0, SHOWN_LINES).map(({ line, text, reason }) => html`<li>${t('columns.line', { line: number(line) })} · ${reasonText(reason)} <code class="rejected-line">${text}</code></li>`)}</ul>
    ${lines.length > SHOWN_LINES ? html`<p class="muted small">${t('runs.of', { shown: SHOWN_LINES, total: lines.length })}</p>` : nothing}`;
}

function tickers(kind: 'unknown' | 'ambiguous', { count, symbols }: Tickers) {
  if (count === 0) return nothing;
  const more = count > SHOWN_SYMBOLS ? ['…'] : [];
  return html`<li>${t(`columns.${kind}`, { count })} ${listed([...symbols.slice(0, SHOWN_SYMBOLS), ...more])}</li>`;
}

const reasonText = (reason: string) => textOr(`columns.reason.${reason}`, textOr(`ops.fault.${reason}`, reason));
