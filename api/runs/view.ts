/** Results in the caller's language. The long arrays are passed on as the worker wrote them. */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PIECE_BYTES } from '../../db/pieces.ts';
import type { Queryable } from '../../db/pool.ts';
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import { type Place, placeOf, type ResultPart, readPart, type ServedResult } from '../../db/runs/run-results.ts';
import type { Run } from '../../db/runs/runs.ts';
import type { Revised } from '../../db/schema/runs.ts';
import type { Sentence } from '../../engine/tear-sheet/sentence.ts';
import { type Choice, choiceOf } from '../../engine/tear-sheet/skill-sentences.ts';
import { withChoice } from '../../engine/tear-sheet/verdict.ts';
import { found } from '../../engine/util/errors.ts';
import type { Receipt } from '../../jobs/contracts/evidence.ts';
import { FIRST_REBALANCES } from '../../jobs/contracts/rotation.ts';
import { joinVerdict, readKeptTearSheet, splitVerdict, TEAR_SHEET } from '../../jobs/contracts/tear-sheet.ts';
import type { PortfolioSummary } from '../../jobs/portfolio/summary.ts';
import { type ReportedSelection, storedSelection } from '../../jobs/runs/statistics.ts';
import { type BacktestSummary, backtestSummary } from '../../jobs/runs/summary.ts';
import { backtestKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { PLANS } from '../access/plans.ts';
import type { RequestContext } from '../access/request-context.ts';
import { firstCount, firstRows, type LongMember, objectWith, sharesOf } from '../http/answer/long-json.ts';
import { JsonStream, JsonText, openObject } from '../http/answer/reply.ts';
import { withPermit } from '../http/fair-semaphore.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import { type Described, describeRange, type MarketNow } from './described-range.ts';
import type { lastVerdictSchema } from './evidence-schemas.ts';
import type { RunCall } from './services.ts';
import { sentencesOf } from './statistics-view.ts';
import { verdictText } from './verdict-texts.ts';

interface Identification {
  /** Null when the result is not kept. */
  readonly id: number | null;
  readonly createdAt: Date;
  readonly isCached: boolean;
  readonly selection: ReportedSelection | null;
  /** The verdicts on a kept result, if there are any. */
  readonly verdicts?: {
    readonly verification?: LastVerdict;
    readonly look_ahead?: object;
    readonly revised?: Revised;
  };
}

type LastVerdict = z.input<typeof lastVerdictSchema>;

/** The last verification of a kept result. */
export function lastVerdict({ verdict, verifiedAt }: KeptRun): LastVerdict | null {
  return verdict && verifiedAt && { verdict, verified_at: verifiedAt.toISOString() };
}

type SummaryFields = Omit<BacktestSummary, 'symbol'> & Described & Pick<PortfolioSummary, 'bars_read'>;

/** The fields that the summaries of all kinds share. */
const fieldsOf = (summary: SummaryFields): SummaryFields => summary;

/** A receipt as results have it: the same computation gives the same bytes at any time. */
export function withoutTime({ computed_at: _at, ...receipt }: Receipt): Omit<Receipt, 'computed_at'> {
  return receipt;
}

/** How a result is shown to a caller. */
export interface Presentation {
  readonly locale: Locale;
  readonly market: MarketNow;
  /** Bytes of the long arrays that the caller's plan allows in one answer. */
  readonly maxBytes: number;
  /** Headers of the answer. */
  readonly headers: RequestContext['headers'];
  /** Passes on the pieces of a long array while the caller holds a permit. */
  readonly throttled: (pieces: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/** How results are shown to the caller of a call. */
export function presentationOf({ services, context, caller }: RunCall, locale: Locale): Presentation {
  const { result_bytes_max: maxBytes } = PLANS[caller.plan].quotas;
  return {
    locale,
    market: services.market,
    maxBytes,
    headers: context.headers,
    throttled: (pieces) => withPermit(services.longParts, caller.counter, context.abortSignal(), pieces),
  };
}

/** A long array of a result. */
interface Part {
  readonly name: ResultPart;
  readonly bytes: number;
  /** The whole array; null if it is too long to be held in memory. */
  readonly text: string | null;
  /** The array in pieces. */
  readonly open: () => AsyncIterable<Buffer>;
  /** Equal for equal content. */
  readonly tag: string;
}

/** The parts that a result has: only rotations have rebalances. */
function partsFor(summary: object, wanted: readonly ResultPart[]): readonly ResultPart[] {
  return 'rotation' in summary ? wanted : wanted.filter((part) => part !== 'rebalances');
}

/** The parts as members; those that are longer than the plan allows are cut off after a row. */
function membersOf(
  parts: readonly Part[],
  { maxBytes, throttled }: Presentation,
): { members: LongMember[]; isCut: boolean } {
  const shares = sharesOf(
    parts.map(({ bytes }) => bytes),
    maxBytes,
  );
  const isCut = (i: number) => shares[i] < parts[i].bytes;
  const members = parts.map(({ name, text: whole, open, tag }, i): LongMember => {
    if (whole !== null) return [name, new JsonText(whole)];
    const share = shares[i];
    const read = () => throttled(isCut(i) ? firstRows(open(), share) : open());
    const pieces = { [Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]() };
    return [name, new JsonStream(pieces, `${tag} ${share}`)];
  });
  return { members, isCut: parts.some((_, i) => isCut(i)) };
}

/** The `data` of a result. */
export function resultOf(
  summary: BacktestSummary | PortfolioSummary,
  id: Identification,
  parts: readonly Part[],
  presentation: Presentation,
  tearSheet: JsonText | null = null,
): JsonText | JsonStream {
  const { locale, market, headers } = presentation;
  const {
    note_codes: codes,
    note_details,
    data_range,
    statistics,
    selection_basis: _basis,
    bars_read: _read,
    receipt,
    ...figures
  } = fieldsOf(summary);
  const { members, isCut } = membersOf(parts, presentation);
  if (isCut) headers['X-Truncated'] = 'true';
  const note_codes = isCut ? ([...codes, 'cut_by_plan'] as const) : codes;
  const described = describeRange({ ...figures, note_codes, note_details, data_range }, locale, market);
  const head = {
    id: id.id,
    created_at: id.createdAt.toISOString(),
    ...figures,
    data_range: described.data_range,
    notes: described.notes,
    statistics: statistics && {
      ...statistics,
      sentences: sentencesOf({ statistics, selection: id.selection }, locale),
    },
    selection: id.selection ?? undefined,
    receipt: receipt && withoutTime(receipt),
    ...id.verdicts,
    disclaimer: labelText('backtest.disclaimer', locale),
    cached: id.isCached,
    truncated: isCut || undefined,
  };
  return objectWith(head, tearSheet ? [...members, ['tear_sheet', tearSheet]] : members);
}

/** The stored tear sheet of a result; null: none was requested. */
export function storedSheet(run: Run & { readonly result: ServedResult }, locale: Locale): JsonText | null {
  const { tearSheet } = run.result;
  return tearSheet === null ? null : tearSheetView(tearSheet, locale, storedSelection(run));
}

/** The result of a run that is done. */
export function runResult(
  db: Queryable,
  run: Run & { readonly result: ServedResult },
  wanted: readonly ResultPart[],
  presentation: Presentation,
): JsonText | JsonStream {
  const { backtestId, createdAt, isCached, result } = run;
  const selection = storedSelection(run);
  const summary = JSON.parse(result.summary);
  const parts = servedParts(db, result, partsFor(summary, wanted), (name) => placeOf(result.lengths, name));
  const id = { id: backtestId, createdAt, isCached: isCached === true, selection };
  return resultOf(summary, id, parts, presentation, storedSheet(run, presentation.locale));
}

/** Parts of a result at their places in its body; null: it has no such part. */
export function servedParts(
  db: Queryable,
  result: ServedResult,
  names: readonly ResultPart[],
  placed: (name: ResultPart) => Place | null,
): Part[] {
  const body = result.body === null ? null : Buffer.from(result.body);
  return names.map((name): Part => {
    const place = placed(name) ?? { from: 0, bytes: 0 };
    const { from, bytes } = place;
    const open = () => readPart(db, result, place);
    const tag = `${result.fingerprint.toString('hex')} ${name} ${from}`;
    if (bytes === 0) return { name, bytes, text: '[]', open, tag };
    const whole = body === null ? null : body.toString('utf8', from, from + bytes);
    return shortened({ name, bytes, text: whole, open, tag });
  });
}

/** A long array of a kept backtest as JSON. A backtest without its objects counts as deleted. */
export function openPart(storage: ObjectStorage, { userId, id }: KeptRun, part: ResultPart): Promise<Readable> {
  return openObject(storage, backtestKey(userId, id, part), 'not_found');
}

async function keptPart(storage: ObjectStorage, saved: KeptRun, name: ResultPart): Promise<Part> {
  const tag = backtestKey(saved.userId, saved.id, name);
  const bytes = found(await storage.size(tag));
  const whole = bytes > PIECE_BYTES ? null : await text(await openPart(storage, saved, name));
  async function* open(): AsyncGenerator<Buffer> {
    yield* await openPart(storage, saved, name);
  }
  return shortened({ name, bytes, text: whole, open, tag });
}

/** A result has the first rebalances only; the others are on pages of their own. */
function shortened(part: Part): Part {
  if (part.name !== 'rebalances') return part;
  const { text: whole, open } = part;
  if (whole === null) return { ...part, open: () => firstCount(open(), FIRST_REBALANCES) };
  const rows: unknown[] = JSON.parse(whole);
  return rows.length <= FIRST_REBALANCES ? part : { ...part, text: JSON.stringify(rows.slice(0, FIRST_REBALANCES)) };
}

/** The kept tear sheet; null: none was made. */
async function keptSheet(storage: ObjectStorage, saved: KeptRun, locale: Locale): Promise<JsonText | null> {
  const object = await storage.get(backtestKey(saved.userId, saved.id, TEAR_SHEET));
  const sheet = object && readKeptTearSheet(await text(object), null);
  return sheet === null ? null : tearSheetView(sheet, locale, storedSelection(saved));
}

/**
 * The result of a kept backtest. With `isShared` it has no id, which only the owner may know, and the kept tear sheet, for which its
 * readers cannot ask.
 */
export async function savedResult(
  storage: ObjectStorage,
  saved: KeptRun,
  wanted: readonly ResultPart[],
  presentation: Presentation,
  isShared = false,
): Promise<JsonText | JsonStream> {
  const summary = storedSummary(saved);
  const parts = await Promise.all(partsFor(summary, wanted).map((part) => keptPart(storage, saved, part)));
  const selection = storedSelection(saved);
  const verdicts = {
    verification: lastVerdict(saved) ?? undefined,
    look_ahead: saved.lookAhead ?? undefined,
    revised: saved.revised ?? undefined,
  };
  const { createdAt, isCached } = saved;
  const id = { id: isShared ? null : saved.id, createdAt, isCached, selection, verdicts };
  const tearSheet = isShared ? await keptSheet(storage, saved, presentation.locale) : null;
  return resultOf(summary, id, parts, presentation, tearSheet);
}

/** The summary of a kept result, as any version of the service has written it. Portfolios have `symbols`. */
export function storedSummary({ summary }: KeptRun): BacktestSummary | PortfolioSummary {
  return backtestSummary(summary);
}

/** `sheet`: JSON text, which is not parsed but for its verdict. `choice`: what the account had tried. */
export function tearSheetView(sheet: string, locale: Locale, choice: Choice | null): JsonText {
  const { figures, verdict } = splitVerdict(sheet);
  const { sentences }: { readonly sentences: readonly Sentence[] } = JSON.parse(verdict);
  const worded = withChoice(sentences, choice ? choiceOf(choice) : []).map((sentence) => ({
    key: sentence.key,
    text: verdictText(sentence, locale),
    figures: sentence.figures,
  }));
  return new JsonText(joinVerdict(figures, { sentences: worded }));
}
