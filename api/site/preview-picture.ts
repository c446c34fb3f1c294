/** The pictures of link previews: the equity of a shared run, or the path around a hit, with its key figures, and one for every other page. */
import { join } from 'node:path';
import { renderAsync } from '@resvg/resvg-js';
import escapeHtml from 'escape-html';
import { LRUCache } from 'lru-cache';
import { type KeptKind, type KeptRun, selectSharedRun } from '../../db/runs/kept-runs.ts';
import { found } from '../../engine/util/errors.ts';
import { longestOf, type OutcomesSummary, outcomesSummary } from '../../jobs/outcomes/summary.ts';
import { portfolioSummary } from '../../jobs/portfolio/summary.ts';
import { backtestSummary } from '../../jobs/runs/summary.ts';
import { rowsOf } from '../http/answer/long-json.ts';
import { openPart } from '../runs/view.ts';
import { PICTURE_FONTS, SITE_FOLDER } from './manifest.ts';
import { ideaOf, PICTURE_SIZE, type Services } from './previews.ts';
import { siteText } from './texts/catalogue.ts';

const { width: WIDTH, height: HEIGHT } = PICTURE_SIZE;
const EDGE = 64;
const CHART = { top: 208, height: 220 };
const FIGURE_WIDTH = (WIDTH - 2 * EDGE) / 4;
/** Average width of a character of Inter in its size. */
const CHARACTER_WIDTH = 0.58;
/** Points of a line: more are not visible. */
const MAX_POINTS = 1_000;
/** Pictures of about 30 KB. */
const MAX_KEPT = 200;

/** Those of the light theme. */
const COLORS = { ground: '#ffffff', ink: '#15191e', muted: '#5a6470', line: '#c9ced5', accent: '#1a56c4' };
const TONES = { gain: '#0b7a4b', loss: '#b42318', neutral: COLORS.ink };

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly tone?: keyof typeof TONES;
}

/** Its language is English whatever the reader's: a picture has one address, and only Latin letters are in its font. */
const percentFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const percent = (value: number) => `${percentFormat.format(value).replace('-', '−')}%`;
const count = (value: number) => new Intl.NumberFormat('en').format(value);
const toneOf = (value: number) => (value > 0 ? 'gain' : value < 0 ? 'loss' : 'neutral');

interface Words {
  readonly x?: number;
  readonly y: number;
  readonly size: number;
  readonly color?: string;
  readonly isStrong?: boolean;
  readonly isRight?: boolean;
}

function words(text: string, { x = EDGE, y, size, color = COLORS.ink, isStrong = false, isRight = false }: Words) {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${isStrong ? 600 : 400}" fill="${color}"${isRight ? ' text-anchor="end"' : ''}>${escapeHtml(text)}</text>`;
}

/** The size at which a text is at most so wide. */
const sizeWithin = (text: string, width: number, most: number) =>
  Math.min(most, Math.floor(width / (text.length * CHARACTER_WIDTH)));

function drawPng(content: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="Inter Variable"><rect width="100%" height="100%" fill="${COLORS.ground}"/>${content}</svg>`;
  const fontFiles = PICTURE_FONTS.map(({ name }) => join(SITE_FOLDER, name));
  return renderAsync(svg, { font: { fontFiles, loadSystemFonts: false } }).then((image) => image.asPng());
}

interface Lines {
  readonly own: readonly number[];
  /** Holding, or what the portfolio is compared with. */
  readonly compared: readonly number[];
}

/** Both lines on one scale. */
function chart({ own, compared }: Lines): string {
  const low = Math.min(...own, ...compared);
  const high = Math.max(...own, ...compared);
  const line = (values: readonly number[], color: string, width: number) => {
    const points = values.map((value, i) => {
      const x = EDGE + (i / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
      const y = CHART.top + (1 - (value - low) / (high - low || 1)) * CHART.height;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linejoin="round"/>`;
  };
  return line(compared, COLORS.muted, 2) + line(own, COLORS.accent, 5);
}

function figureList(figures: readonly Figure[]): string {
  return figures
    .map(({ name, value, tone = 'neutral' }, i) => {
      const x = EDGE + i * FIGURE_WIDTH;
      return (
        words(name, { x, y: 504, size: 26, color: COLORS.muted }) +
        words(value, { x, y: 564, size: 52, color: TONES[tone], isStrong: true })
      );
    })
    .join('');
}

/** The lines of a kept run, with fewer points if it is long. */
async function linesOf(services: Services, saved: KeptRun): Promise<Lines> {
  const [own, compared]: [number[], number[]] = [[], []];
  for await (const rows of rowsOf(await openPart(services.storage, saved, 'equity'))) {
    for (const { equity, buy_hold } of rows) {
      own.push(Number(equity));
      if (typeof buy_hold === 'number') compared.push(buy_hold);
    }
  }
  const step = Math.ceil(own.length / MAX_POINTS);
  const some = (values: readonly number[]) => values.filter((_, i) => (values.length - 1 - i) % step === 0);
  return { own: some(own), compared: some(compared) };
}

/** The content of the picture of a kept run. */
interface Shown {
  readonly title: string;
  readonly about: string;
  readonly lines: Lines;
  readonly figures: readonly Figure[];
}

async function runShown(services: Services, saved: KeptRun): Promise<Shown> {
  const summary = saved.kind === 'backtest' ? backtestSummary(saved.summary) : portfolioSummary(saved.summary);
  const { start_date, end_date, total_pnl_pct, max_drawdown_pct, sharpe, num_trades } = summary;
  const { universe: title, rule } = ideaOf(summary, 'en');
  const deepest = -Math.abs(max_drawdown_pct);
  return {
    title,
    about: `${rule}, ${start_date} to ${end_date}`,
    lines: await linesOf(services, saved),
    figures: [
      { name: siteText('run.total', 'en'), value: percent(total_pnl_pct), tone: toneOf(total_pnl_pct) },
      { name: siteText('run.deepest_drawdown', 'en'), value: percent(deepest), tone: toneOf(deepest) },
      { name: siteText('run.sharpe', 'en'), value: sharpe === null ? '–' : sharpe.toFixed(2).replace('-', '−') },
      { name: siteText('run.trades', 'en'), value: count(num_trades) },
    ],
  };
}

/** The path around a hit over no difference at all, and figures at the longest horizon. */
function outcomesShown({ question, first, last, hits, days, horizons, path }: OutcomesSummary): Shown {
  const { horizon, mean, excess } = longestOf(horizons);
  const own = path?.points.map((point) => point.mean ?? 0) ?? [];
  const figure = (name: string, share: number | null = null): Figure =>
    share === null ? { name, value: '–' } : { name, value: percent(100 * share), tone: toneOf(share) };
  return {
    title: question.condition,
    about: `${siteText('page.outcomes', 'en')}: ${horizon} sessions later, ${first} to ${last}`,
    lines: { own, compared: own.map(() => 0) },
    figures: [
      { name: siteText('outcomes.hits', 'en'), value: count(hits) },
      { name: siteText('outcomes.days', 'en'), value: count(days) },
      figure(siteText('outcomes.mean', 'en'), mean),
      figure(siteText('outcomes.excess', 'en'), excess?.mean),
    ],
  };
}

async function drawRun(services: Services, saved: KeptRun): Promise<Buffer> {
  const { title, about, lines, figures } =
    saved.kind === 'outcomes' ? outcomesShown(outcomesSummary(saved.summary)) : await runShown(services, saved);
  return drawPng(
    [
      words(siteText('site.name', 'en'), { x: WIDTH - EDGE, y: 106, size: 26, color: COLORS.muted, isRight: true }),
      words(title, { y: 110, size: sizeWithin(title, 680, 60), isStrong: true }),
      words(about, { y: 164, size: sizeWithin(about, 860, 30), color: COLORS.muted }),
      chart(lines),
      `<path d="M${EDGE} 456H${WIDTH - EDGE}" stroke="${COLORS.line}" stroke-width="2"/>`,
      figureList(figures),
    ].join(''),
  );
}

/** A result never changes: by its id, and asked for again only after a failure. */
const drawn = new LRUCache<number, Promise<Buffer>>({ max: MAX_KEPT });

/** The picture of a shared run as PNG. Whether it is still shared is asked each time. */
export async function runPicture(
  services: Services,
  shared: { readonly kind: KeptKind; readonly slug: string },
): Promise<Buffer> {
  const saved = found(await selectSharedRun(services.pool, shared));
  const kept = drawn.get(saved.id);
  if (kept) return kept;
  const drawing = drawRun(services, saved);
  drawn.set(saved.id, drawing);
  drawing.catch(() => drawn.delete(saved.id));
  return drawing;
}

let general: Promise<Buffer> | undefined;

/** The picture of every other page. */
export function sitePicture(): Promise<Buffer> {
  general ??= drawSite().catch((error) => {
    general = undefined;
    throw error;
  });
  return general;
}

/** The two candles of the icon, the name of the site, and what it is. */
function drawSite(): Promise<Buffer> {
  const candles = `<g transform="translate(${EDGE - 36} 96) scale(9)" fill="none" stroke="${COLORS.accent}" stroke-width="2.5"><path d="M10 3v26M22 5v22" stroke-linecap="round"/><rect x="6" y="9" width="8" height="14" rx="1" fill="${COLORS.ground}"/><rect x="18" y="10" width="8" height="11" rx="1" fill="${COLORS.accent}"/></g>`;
  const title = siteText('site.name', 'en');
  const about = siteText('page.home', 'en');
  return drawPng(
    candles +
      words(title, { y: 470, size: sizeWithin(title, WIDTH - 2 * EDGE, 76), isStrong: true }) +
      words(about, { y: 536, size: sizeWithin(about, WIDTH - 2 * EDGE, 34), color: COLORS.muted }),
  );
}
