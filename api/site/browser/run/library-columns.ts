/** Columns of the library: what was run, and what came of it. */
import { html, nothing } from '../dom.ts';
import { type Column, changeColumn, numberColumn, percentColumn } from '../elements/data-table.ts';
import { sparkLine } from '../plot.ts';
import { day, fixed, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';
import {
  ideaOf,
  isKept,
  isMeasured,
  type KeptItem,
  type LibraryItem,
  type MeasuredItem,
  pageOf,
  stateOf,
} from './library.ts';

/** A figure that only measured runs have. */
const figureOf =
  <Value>(pick: (item: MeasuredItem) => Value) =>
  (item: LibraryItem) =>
    isMeasured(item) ? pick(item) : null;

export function libraryColumns(known: Strategies): Column<LibraryItem>[] {
  const share = (key: 'total_pnl_pct' | 'excess_return_pct', title: string): Column<LibraryItem> =>
    changeColumn(
      key,
      title,
      figureOf((item) => item[key]),
      tone,
    );
  return [
    {
      key: 'run',
      title: t('runs.run'),
      value: (item) => titleOf(item, known),
      cell: (item) => runCell(item, known),
    },
    {
      key: 'line',
      title: t('run.equity'),
      isMinor: true,
      cell: (item) => (isMeasured(item) ? sparkLine(item.line ?? []) : nothing),
    },
    share('total_pnl_pct', t('run.total')),
    share('excess_return_pct', t('run.against_holding')),
    numberColumn(
      'drawdown',
      t('run.drawdown'),
      figureOf((run) => run.max_drawdown_pct),
      (fall) => signedPercent(fall && -Math.abs(fall), 1),
    ),
    numberColumn(
      'sharpe',
      t('run.sharpe'),
      figureOf(({ sharpe }) => sharpe),
      fixed,
    ),
    percentColumn(
      'luck',
      t('runs.luck'),
      figureOf(({ luck }) => luck && 100 * luck),
    ),
    numberColumn(
      'trades',
      t('run.trades'),
      figureOf(({ num_trades }) => num_trades),
    ),
    {
      key: 'verdict',
      isMinor: true,
      title: t('evidence.verification'),
      value: (item) => (isKept(item) ? verdictOf(item) : null),
      tone: (item) => (isKept(item) && item.verification?.verdict === 'unexplained' ? 'loss' : ''),
    },
    {
      key: 'created',
      title: t('runs.created'),
      isMinor: true,
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => created_at.slice(0, 10),
    },
  ];
}

const verdictOf = ({ verification }: KeptItem) =>
  verification && `${t(`verdict.${verification.verdict}`)} · ${day(verification.verified_at)}`;

/** The name that its owner gave it, or what it is. */
const titleOf = (item: LibraryItem, known: Strategies) => (isKept(item) ? item.name : null) ?? ideaOf(item, known);

function runCell(item: LibraryItem, known: Strategies) {
  const title = titleOf(item, known);
  const idea = ideaOf(item, known);
  const range = isKept(item) ? `${day(item.start_date)} – ${day(item.end_date)}` : stateOf(item);
  const about = [...(idea === title ? [] : [idea]), range].join(' · ');
  const wordLink = (text: string, q: string) =>
    html`<a class="run-tag small" href=${`/runs?${new URLSearchParams({ q })}`}>${text}</a> `;
  return html`<a href=${pageOf(item)}>${title}</a> ${isKept(item) ? item.tags.map((tag) => wordLink(tag, `tag:${tag}`)) : nothing}<br />
    ${wordLink(t(`kind.${item.kind}`), `kind:${item.kind}`)}<span class="muted small">${about}</span>`;
}
