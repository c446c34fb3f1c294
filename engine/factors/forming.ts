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
  /** Tables, formation by formation, member by member: the factors, the close as traded, and the market value if there is one. */
  private readonly tables: Float64Array[] = [];
  private readonly factors: number;

  constructor({ members }: Market, clock: Int32Array, formations: readonly number[], factors: number) {
    this.members = members.length;
    this.formations = formations;
    this.factors = factors;
    this.days = Int32Array.from(formations, (at): Day => clock[at]);
    this.isNyse = Uint8Array.from(members, ({ venue }) => Number(venue === NYSE));
    this.lastDay = new Int32Array(members.length);
  }

  add({ member, series }: VisitedMember): void {
    this.lastDay[member] = series.day[series.length - 1];
  }

  /** `at`: index in the clock; `besides`: the close, and the market value. */
  take(at: number, values: readonly Float64Array[], besides: readonly Float64Array[]): void {
    const row = this.formations.indexOf(at);
    if (row < 0) return;
    for (const [k, column] of [...values, ...besides].entries()) {
      this.tables[k] ??= new Float64Array(this.formations.length * this.members);
      this.tables[k].set(column, row * this.members);
    }
  }

  /** Null: no portfolio is formed. */
  done(forward: ForwardReturns): { readonly panel: FormationPanel; readonly values: readonly Float64Array[] } | null {
    if (this.tables.length === 0) return null;
    const { members, days, isNyse, lastDay, formations } = this;
    const close = new Float64Array(formations.length * members);
    for (const [row, at] of formations.entries()) close.set(forward.closesAt(at), row * members);
    const [rawClose, size] = this.tables.slice(this.factors);
    const panel = { days, members, close, rawClose, isNyse, lastDay, size: size ? marketValues(size, isNyse) : null };
    return { panel, values: this.tables.slice(0, this.factors) };
  }
}
