/** The tables of sweeps. */
import { bigint, integer, json, nullable, oneOf, real, text, timestamptz, uuid } from './columns.ts';

export const SWEEP_TABLES = {
  sweeps: {
    id: uuid,
    user_id: bigint,
    status: oneOf('queued', 'running', 'done', 'failed'),
    spec: json<unknown>(),
    /** The call that made it; null: made by an earlier version. */
    request: nullable(json<object>()),
    request_id: nullable(text),
    cells: bigint,
    cells_done: bigint,
    chunks: integer,
    chunks_done: integer,
    /** Size and checksum of the file of all cells. */
    cells_bytes: nullable(bigint),
    cells_sha256: nullable(text),
    error_code: nullable(text),
    created_at: timestamptz,
    started_at: nullable(timestamptz),
    finished_at: nullable(timestamptz),
    /** Codes of the notes on its figures; null before its end. */
    note_codes: nullable(json<readonly string[]>()),
    /** Processor seconds of workers that it may cost; null: any number. */
    seconds_max: nullable(integer),
    /** Processor seconds that its chunks have cost until now. */
    worker_seconds: real,
    /** Within a turn a higher plan comes first. */
    plan_rank: integer,
  },
  sweep_chunks: {
    sweep_id: uuid,
    seq: integer,
    job_id: uuid,
    instruments: json<unknown>(),
    cells: integer,
    /** Place among the chunks of all sweeps; null until its sweep runs. */
    turn: nullable(integer),
    /** Attempts that have begun. */
    attempt: integer,
    started_at: nullable(timestamptz),
    done_at: nullable(timestamptz),
  },
};
