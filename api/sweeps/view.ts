/** Sweeps as the API shows them. */
import { type Sweep, type SweepPace, selectSweepPace } from '../../db/sweeps/sweeps.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { SWEEP_ASSEMBLE_QUEUE, SWEEP_CHUNK_QUEUE, sweepSpecSchema } from '../../jobs/contracts/sweep.ts';
import { NOTE_CODES, NOTE_LEVELS } from '../../jobs/runs/notes.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { noteSchema } from '../runs/schemas.ts';
import { pauseNotice, runError, secondsView } from '../runs/state.ts';
import type { Services } from '../screener/services.ts';
import type { sweepSchema } from './schemas.ts';

type NoteView = z.input<typeof noteSchema>;

export interface ViewingCall {
  readonly services: Pick<Services, 'pool'>;
  readonly context: Pick<RequestContext, 'locale'>;
}

/** Gives the notice that a queue is paused; null if it is not. */
type PauseNotices = (queue: string) => Promise<string | null>;

/** Reads the pause of each queue once, however many sweeps are shown. */
export function pauseNotices({ services, context }: ViewingCall): PauseNotices {
  const known = new Map<string, Promise<string | null>>();
  return (queue) => {
    const notice = known.get(queue) ?? pauseNotice(services.pool, queue, context.locale);
    known.set(queue, notice);
    return notice;
  };
}

/** A sweep as its account sees it. */
export async function sweepView(
  call: ViewingCall,
  sweep: Sweep,
  pauses = pauseNotices(call),
): Promise<z.input<typeof sweepSchema>> {
  const spec = sweepSpecSchema.parse(sweep.spec);
  return {
    ...(await workView(call, sweep, pauses)),
    strategies: spec.runs.map(({ strategy }) => strategy),
    time_range: spec.start === null ? spec.timeRange : 'CUSTOM',
    skipped_symbols: spec.skipped ?? undefined,
    screened_on: spec.screenedOn === null ? null : formatDay(spec.screenedOn),
  };
}

/** The progress of work of any kind that is computed in chunks. */
export async function workView(call: ViewingCall, sweep: Sweep, pauses = pauseNotices(call)) {
  const { services, context } = call;
  const pace = sweep.status === 'running' ? await selectSweepPace(services.pool, sweep.id) : null;
  const rate = pace?.cellsPerSecond ?? null;
  const done = sweep.status === 'done';
  const isAssembling = sweep.status === 'running' && sweep.chunksDone === sweep.chunks;
  return {
    id: sweep.id,
    status: sweep.status,
    progress_pct: done ? 100 : Math.round((990 * sweep.cellsDone) / sweep.cells) / 10,
    cells: { done: sweep.cellsDone, total: sweep.cells },
    cells_per_second: rate === null ? null : Math.round(rate),
    assembling: isAssembling,
    seconds_left:
      isAssembling || rate === null || rate === 0 ? null : Math.ceil((sweep.cells - sweep.cellsDone) / rate),
    chunks: { done: sweep.chunksDone, total: sweep.chunks, running: pace?.runningChunks ?? 0 },
    workers: pace?.workers ?? 0,
    notes: notesOf(call, sweep.noteCodes),
    created_at: sweep.createdAt.toISOString(),
    started_at: sweep.startedAt?.toISOString() ?? null,
    finished_at: sweep.finishedAt?.toISOString() ?? null,
    error: runError({ ...sweep, errorDetails: { max: sweep.secondsMax ?? 0 } }, context.locale),
    worker_seconds: secondsView(sweep.workerSeconds),
    notice: await noticeOf(sweep, pace, pauses),
  };
}

/** The notice of a sweep that does not progress because its queue is paused. */
async function noticeOf(
  { status, chunks, chunksDone }: Sweep,
  pace: SweepPace | null,
  pauses: PauseNotices,
): Promise<string | null> {
  const waits = status === 'queued' || (status === 'running' && pace?.runningChunks === 0);
  if (!waits) return null;
  const { name } = chunksDone === chunks ? SWEEP_ASSEMBLE_QUEUE : SWEEP_CHUNK_QUEUE;
  return pauses(name);
}

/** The notes on the figures of a sweep: none before its end, or if an earlier version computed it. */
export function notesOf(
  { context: { locale } }: Pick<ViewingCall, 'context'>,
  noteCodes: Sweep['noteCodes'],
): NoteView[] {
  const codes = NOTE_CODES.filter((code) => noteCodes?.includes(code));
  return codes.map((code) => ({
    code,
    level: NOTE_LEVELS[code],
    message: labelText(`backtest.${code}`, locale),
  }));
}
