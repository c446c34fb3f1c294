/** Events of accounts, which their streams tell. */
import type { Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';

export const ACCOUNT_EVENTS_CHANNEL = 'account_events';

export interface AccountEvent {
  /** Its place in the order of commits. */
  readonly seq: number;
  /** Null: of everybody. */
  readonly userId: number | null;
  readonly event: Rows['account_events']['event'];
  readonly data: Rows['account_events']['data'];
  readonly createdAt: Date;
}

/** Numbers the events that were committed since the last call of any process. Returns the last number. */
export async function numberEvents(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ last: number }>('select number_account_events() as last');
  return rows[0].last;
}

const COLUMNS = 'seq, user_id as "userId", event, data, created_at as "createdAt"';

export interface EventRange {
  readonly after: number;
  readonly through: number;
  readonly limit: number;
}

/** Numbered events of all accounts, oldest first. */
export async function selectEvents(db: Queryable, { after, through, limit }: EventRange): Promise<AccountEvent[]> {
  const { rows } = await db.query<AccountEvent>({
    name: 'select_account_events',
    text: `select ${COLUMNS} from account_events where seq > $1 and seq <= $2 order by seq limit $3`,
    values: [after, through, limit],
  });
  return rows;
}

/** Numbered events of one account and of everybody, oldest first. */
export async function selectEventsOf(
  db: Queryable,
  userId: number,
  { after, through, limit }: EventRange,
): Promise<AccountEvent[]> {
  const { rows } = await db.query<AccountEvent>(
    `select ${COLUMNS} from account_events where (user_id = $1 or user_id is null) and seq > $2 and seq <= $3
     order by seq limit $4`,
    [userId, after, through, limit],
  );
  return rows;
}

/** Whether every event after a number is still kept. */
export async function areKeptAfter(db: Queryable, after: number, last: number): Promise<boolean> {
  const { rows } = await db.query<{ first: number }>(
    'select coalesce(min(seq), $1::bigint + 1) as first from account_events where seq is not null',
    [last],
  );
  return after <= last && after >= rows[0].first - 1;
}

export async function insertEvent(
  db: Queryable,
  { userId, event, data, createdAt }: Omit<AccountEvent, 'seq'>,
): Promise<void> {
  await db.query('select tell_account($1, $2, $3, $4)', [userId, event, createdAt, JSON.stringify(data)]);
}

export async function deleteOldEvents(db: Queryable, before: Date): Promise<void> {
  // Without numbers nobody would miss them.
  await numberEvents(db);
  await db.query('delete from account_events where created_at < $1', [before]);
}
