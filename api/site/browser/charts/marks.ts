/** Marks that charts draw beside their series: labeled lines at a day, hatched gaps, tinted ranges, and notes. */
import { t } from '../text.ts';
import { type ChartColors, chartFont, faded } from './colors.ts';
import { type Draw, SeriesLayer, type Size } from './series-layer.ts';

export interface Mark {
  readonly kind: 'line' | 'gap' | 'tint' | 'note';
  /** Days with a bar; a gap lies between them. */
  readonly start: string;
  readonly end: string;
  readonly label: string;
}

const HATCH_PX = 6;

/** Draws marks over the whole height of the pane of the series that it is attached to. */
export class Marks extends SeriesLayer<Mark> {
  constructor() {
    super();
    this.add('bottom', this.drawEach(drawShape));
    this.add('top', this.drawEach(drawLabel));
  }

  private drawEach(draw: DrawMark): Draw {
    return (context, size, colors) => {
      for (const mark of this.items) {
        const [from, to] = [this.xOf(mark.start), this.xOf(mark.end)];
        if (from !== null && to !== null) draw(context, { ...mark, from, to }, size, colors);
      }
    };
  }
}

interface PlacedMark extends Mark {
  /** Pixels from the left edge. */
  readonly from: number;
  readonly to: number;
}

type DrawMark = (context: CanvasRenderingContext2D, mark: PlacedMark, size: Size, colors: ChartColors) => void;

const drawShape: DrawMark = (context, { kind, from, to }, { height }, colors) => {
  if (kind === 'line') drawLine(context, from, height, colors.muted);
  else if (kind === 'gap') drawHatch(context, from, to, height, faded(colors.muted, 0.5));
  else if (kind === 'tint') {
    context.fillStyle = faded(colors.accent, 0.12);
    context.fillRect(from - 1, 0, Math.max(2, to - from), height);
  }
};

/** Over the series, which would strike it through, and on a rim of the ground. */
const drawLabel: DrawMark = (context, { kind, label, from }, size, colors) => {
  // The label of what is out of view would stand at the edge.
  if (label === '' || from < 0 || from > size.width) return;
  context.font = `11px ${chartFont()}`;
  const { width } = context.measureText(label);
  // Beside its point, and within the pane.
  const beside = kind === 'note' ? from - width - 6 : kind === 'line' ? from + 4 : from;
  const x = Math.min(Math.max(4, beside), size.width - width - 4);
  const y = size.height - 6;
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = colors.ground;
  context.strokeText(label, x, y);
  context.fillStyle = kind === 'note' ? colors.loss : colors.muted;
  context.fillText(label, x, y);
};

function drawLine(context: CanvasRenderingContext2D, x: number, height: number, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, 0);
  context.lineTo(Math.round(x) + 0.5, height);
  context.stroke();
  context.setLineDash([]);
}

/** At least a stripe wide, however far the chart is zoomed out. */
function drawHatch(context: CanvasRenderingContext2D, from: number, to: number, height: number, color: string): void {
  const width = Math.max(HATCH_PX, to - from);
  context.save();
  context.beginPath();
  context.rect(from, 0, width, height);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = from - height; x < from + width; x += HATCH_PX) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}

/** The longest closure of the exchange since 1933 took six days; anything longer is a gap. */
const LONGEST_CLOSURE_DAYS = 7;
const MS_PER_DAY = 86_400_000;

/** Stretches between daily bars in which nothing traded or nothing is loaded. */
export function gapMarks(bars: readonly { readonly ts: string }[]): Mark[] {
  const marks: Mark[] = [];
  for (let i = 1; i < bars.length; i++) {
    const [start, end] = [bars[i - 1].ts, bars[i].ts];
    if (Date.parse(end) - Date.parse(start) <= LONGEST_CLOSURE_DAYS * MS_PER_DAY) continue;
    marks.push({ kind: 'gap', start, end, label: t('chart.gap') });
  }
  return marks;
}

/** First day of consolidated bars: histories are those of the primary session before it. */
const VENUE_BASIS_CHANGE = '2024-07-01';

/** The day on which the venue basis changes, where a history crosses it. */
export function venueBasisMark(bars: readonly { readonly ts: string }[]): Mark[] {
  const first = bars.findIndex(({ ts }) => ts >= VENUE_BASIS_CHANGE);
  if (first < 1) return [];
  const { ts } = bars[first];
  return [{ kind: 'line', start: ts, end: ts, label: t('chart.venue_basis_change') }];
}
