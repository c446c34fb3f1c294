/** Collects what portfolios of factors are formed from, while a study visits the members and their sessions. */
import type { Day } from '../market/dates.ts';
import type { Market, VisitedMember } from '../rules/market-values.ts';
import { type FormationPanel, marketValues } from './cohort.ts';
import type { ForwardReturns } from './forward-returns.ts';

const NYSE = 'NYSE';

export class Forming {
  private readonly members: number;
  private readonly days: Int32Array;
  private readonly formations: readonly number[];
  private readonly isNyse: Uint8Array;
  private readonly lastDay: Int32Array;
  /** Tables, formation by formation, member by member: of each factor; the close as traded, and the market value if there is one. */
  private readonly factors: Float64Array[] = [];
  private readonly besides: Float64Array[] = [];

  constructor({ members }: Market, clock: Int32Array, formations: readonly number[]) {
    this.members = members.length;
    this.formations = formations;
    this.days = Int32Array.from(formations, (at): Day => clock[at]);
    this.isNyse = Uint8Array.from(members, ({ venue }) => Number(venue === NYSE));
    this.lastDay = new Int32Array(members.length);
  }

  add({ member, series }: VisitedMember): void {
    this.lastDay[member] = series.day[series.length - 1];
  }

  /** `at`: index in the clock; `first`: the factor that the first values are of; `besides`: the close, and the market value. */
  take(at: number, first: number, values: readonly Float64Array[], besides: readonly Float64Array[]): void {
    const row = this.formations.indexOf(at);
    if (row < 0) return;
    for (const [k, column] of values.entries()) this.put(this.factors, first + k, row, column);
    for (const [k, column] of besides.entries()) this.put(this.besides, k, row, column);
  }

  private put(tables: Float64Array[], k: number, row: number, column: Float64Array): void {
    tables[k] ??= new Float64Array(this.formations.length * this.members);
    tables[k].set(column, row * this.members);
  }

  /** Null: no portfolio is formed. */
  done(forward: ForwardReturns): { readonly panel: FormationPanel; readonly values: readonly Float64Array[] } | null {
    const { members, days, isNyse, lastDay, formations, factors, besides } = this;
    if (factors.length === 0) return null;
    const close = new Float64Array(formations.length * members);
    for (const [row, at] of formations.entries()) close.set(forward.closesAt(at), row * members);
    const [rawClose, size] = besides;
    const panel = { days, members, close, rawClose, isNyse, lastDay, size: size ? marketValues(size, isNyse) : null };
    return { panel, values: factors };
  }
}
