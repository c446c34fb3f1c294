/** The days that the charts of a report show together, the day under the cursor in any of them, and how a reader changes both. */
export interface Day {
  /** YYYY-MM-DD */
  readonly ts: string;
}

/** First and last index of what is in view. */
type Shown = readonly [from: number, to: number];

class SharedDays {
  /** First and last day in view; null: all. */
  range: readonly [from: string, to: string] | null = null;
  /** The day under the cursor; null: none. */
  day: string | null = null;
  private readonly followers = new Set<() => void>();

  follow(follower: () => void): void {
    this.followers.add(follower);
  }

  unfollow(follower: () => void): void {
    this.followers.delete(follower);
  }

  show(range: SharedDays['range']): void {
    if (String(range) === String(this.range)) return;
    this.range = range;
    this.tell();
  }

  point(day: string | null): void {
    if (day === this.day) return;
    this.day = day;
    this.tell();
  }

  /** Indices of the days in view; of all where none of them is. */
  shownOf(days: readonly Day[]): Shown {
    const [first, last] = this.range ?? ['', '9999'];
    const [from, to] = [days.findIndex(({ ts }) => ts >= first), days.findLastIndex(({ ts }) => ts <= last)];
    return from === -1 || to <= from ? [0, days.length - 1] : [from, to];
  }

  private tell(): void {
    for (const follower of this.followers) follower();
  }
}

/** A page shows one report. */
export const sharedDays = new SharedDays();

export function rangeOf(days: readonly Day[], [from, to]: Shown): SharedDays['range'] {
  const last = days.length - 1;
  const [first, end] = [Math.max(0, from), Math.min(last, to)];
  return (first === 0 && end === last) || end <= first ? null : [days[first].ts, days[end].ts];
}

/** Bars that a range has at least. */
const FEWEST = 8;

/** A key on a chart asks for another day under the cursor, or for another range; null: for neither. */
export function afterKey(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { count, shown: [from, to], current }: { readonly count: number; readonly shown: Shown; readonly current: number },
): { readonly current: number } | { readonly shown: Shown } | null {
  if (ctrlKey || metaKey || altKey) return null;
  const last = count - 1;
  const at = current === -1 ? to : current;
  const day = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: from, End: to }[key];
  if (day !== undefined) return { current: Math.min(last, Math.max(0, day)) };
  if (key === 'Escape' || key === '0') return { shown: [0, last] };
  const span = { '+': (to - from) / 2, '=': (to - from) / 2, '-': 2 * (to - from), '−': 2 * (to - from) }[key];
  if (span === undefined) return null;
  const whole = Math.round(Math.min(last, Math.max(Math.min(last, FEWEST), span)));
  const share = current === -1 ? 1 : (at - from) / Math.max(1, to - from);
  const first = Math.round(Math.min(last - whole, Math.max(0, at - share * whole)));
  return { shown: [first, first + whole] };
}

/** A pointer that moved less has clicked. */
const DRAG_PX = 4;

/** Lets a reader drag a mouse over a drawing: shades what is chosen, and takes both ends, in pixels from its left edge. */
export function takeDrags(box: HTMLElement, width: () => number, take: (from: number, to: number) => void): void {
  const shade = document.createElement('div');
  shade.className = 'drag-shade';
  const placeOf = ({ clientX }: MouseEvent) =>
    Math.min(width(), Math.max(0, clientX - box.getBoundingClientRect().left));
  box.addEventListener('pointerdown', (down) => {
    const isDrawing = down.target instanceof HTMLCanvasElement || down.target instanceof SVGElement;
    const start = placeOf(down);
    if (!isDrawing || down.button !== 0 || down.pointerType !== 'mouse' || start >= width()) return;
    const work = new AbortController();
    const { signal } = work;
    const move = (event: PointerEvent) => {
      const ends = [start, placeOf(event)].sort((a, b) => a - b);
      shade.style.left = `${ends[0]}px`;
      shade.style.width = `${ends[1] - ends[0]}px`;
      if (ends[1] - ends[0] > DRAG_PX) box.append(shade);
    };
    const end = (event: PointerEvent) => {
      work.abort();
      shade.remove();
      const [from, to] = [start, placeOf(event)].sort((a, b) => a - b);
      if (event.type === 'pointerup' && to - from > DRAG_PX) take(from, to);
    };
    document.addEventListener('pointermove', move, { signal });
    document.addEventListener('pointerup', end, { signal });
    document.addEventListener('pointercancel', end, { signal });
  });
}
