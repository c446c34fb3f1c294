/** The events of a load: the same event again is repeated, other factors of a day conflict. */
import type { AdjustmentRow } from '../../db/market/adjustments.ts';
import { type Adjustment, SHARE_COUNT_KINDS } from '../../engine/market/adjust.ts';
import { formatDay } from '../../engine/market/dates.ts';
import type { AccountBook } from './file-account.ts';

interface ListedEvent extends Adjustment {
  readonly instrumentId: number;
  /** Path and line. */
  readonly source: string;
  readonly content: string;
}

/** Factors this near are equal. */
const SAME = { split: 1e-4, other: 1e-6 } as const;

const fileOf = (source: string) => source.slice(0, source.lastIndexOf(':'));

export class EventList {
  private readonly keepsAccounts: boolean;
  private readonly book: AccountBook;
  private readonly reject: (source: string, content: string, reason: string) => void;
  private readonly days = new Map<string, ListedEvent[]>();
  /** Days of which no event counts. */
  private readonly conflicts = new Set<string>();

  /** Providers without accounts have ids of events, so that two equal ones are two. */
  constructor(
    keepsAccounts: boolean,
    book: AccountBook,
    reject: (source: string, content: string, reason: string) => void,
  ) {
    this.keepsAccounts = keepsAccounts;
    this.book = book;
    this.reject = reject;
  }

  add(event: ListedEvent): void {
    const key = `${event.instrumentId} ${event.kind} ${event.exDay}`;
    const known = this.days.get(key) ?? [];
    this.days.set(key, known);
    const problem = this.keepsAccounts && known.length > 0 ? this.relation(known, event) : null;
    if (problem === null) known.push(event);
    else if (problem === 'repeated') this.book.repeat(event.source);
    else if (problem === 'other_list_counts') {
      this.book.leaveOut(event.source, problem);
      this.book.tell(fileOf(event.source), `${event.content}: ${known[0].source} counts`);
    } else {
      this.conflicts.add(key);
      this.reject(event.source, event.content, 'conflict');
      this.book.tell(fileOf(event.source), `conflict: ${event.source} differs from ${known[0].source}`);
    }
  }

  /** Relates an event to the earlier ones of its day; null: it is another one, such as a special dividend. */
  private relation(
    known: readonly ListedEvent[],
    event: ListedEvent,
  ): 'repeated' | 'other_list_counts' | 'conflict' | null {
    const isSplit = SHARE_COUNT_KINDS.includes(event.kind);
    const tolerance = isSplit ? SAME.split : SAME.other;
    if (known.some(({ factor }) => Math.abs(factor - event.factor) <= tolerance)) return 'repeated';
    const isOtherFile = fileOf(known[0].source) !== fileOf(event.source);
    if (isOtherFile && /^adjustments\.csv/.test(known[0].source)) return 'other_list_counts';
    return isSplit || isOtherFile ? 'conflict' : null;
  }

  /** The events that count. */
  events(): AdjustmentRow[] {
    const rows: AdjustmentRow[] = [];
    for (const [key, events] of this.days) {
      for (const [i, { instrumentId, exDay, kind, factor, source, content }] of events.entries()) {
        if (this.conflicts.has(key)) this.reject(source, content, 'conflict');
        else rows.push({ instrumentId, eventKey: `${kind}@${formatDay(exDay)}#${i + 1}`, exDay, kind, factor });
      }
    }
    return rows;
  }
}
