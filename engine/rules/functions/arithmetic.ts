/** Operations on the values of one bar: signs, and functions. A result that is not finite is undefined. */
import { dimensionKept, dimensionMultiplied, dimensionOnEach } from '../../market/basis.ts';
import { text } from '../../util/localized-text.ts';
import { type Entry, family, type Pointwise, type PointwiseFunction, value } from './function.ts';

/** Limit of products, so that no sum of products is infinite. */
const MAX_VALUE = 1e300;

/** Treats infinite values, and values above the limit, as undefined. */
function bounded(figure: number): number {
  return figure <= MAX_VALUE && figure >= -MAX_VALUE ? figure : Number.NaN;
}

// Each has its own loop, which V8 optimizes for its operation.
export const SIGNS = family({ kind: 'pointwise' }, {
  neg: {
    dimension: dimensionKept,
    column: ([a]) => {
      const out = new Float64Array(a.length);
      for (let t = 0; t < a.length; t++) out[t] = -a[t];
      return out;
    },
  },
  '+': {
    dimension: dimensionKept,
    column: ([a, b]) => {
      const out = new Float64Array(a.length);
      for (let t = 0; t < a.length; t++) out[t] = a[t] + b[t];
      return out;
    },
  },
  '-': {
    dimension: dimensionKept,
    column: ([a, b]) => {
      const out = new Float64Array(a.length);
      for (let t = 0; t < a.length; t++) out[t] = a[t] - b[t];
      return out;
    },
  },
  '*': {
    dimension: (parts) => dimensionMultiplied(parts, 1),
    column: ([a, b]) => {
      const out = new Float64Array(a.length);
      for (let t = 0; t < a.length; t++) out[t] = bounded(a[t] * b[t]);
      return out;
    },
  },
  '/': {
    dimension: (parts) => dimensionMultiplied(parts, -1),
    column: ([a, b]) => {
      const out = new Float64Array(a.length);
      for (let t = 0; t < a.length; t++) out[t] = bounded(a[t] / b[t]);
      return out;
    },
  },
} satisfies Record<string, Pick<Pointwise, 'dimension' | 'column'>>);

const SHARED = { kind: 'pointwise', result: 'value', dimension: dimensionKept } as const;

export const MATHS = family(SHARED, {
  abs: {
    args: [value()],
    description: text('Value without its sign', '绝对值', '絕對值'),
    isCommutative: false,
    column: ([a]) => a.map(Math.abs),
  },
  min: {
    args: [value(), value('y')],
    description: text('The smaller of two values', '两值中较小者', '兩值中較小者'),
    isCommutative: true,
    column: ([a, b]) => {
      const out = new Float64Array(a.length);
      for (let t = 0; t < a.length; t++) out[t] = Math.min(a[t], b[t]);
      return out;
    },
  },
  max: {
    args: [value(), value('y')],
    description: text('The larger of two values', '两值中较大者', '兩值中較大者'),
    isCommutative: true,
    column: ([a, b]) => {
      const out = new Float64Array(a.length);
      for (let t = 0; t < a.length; t++) out[t] = Math.max(a[t], b[t]);
      return out;
    },
  },
  ln: {
    args: [value()],
    description: text('Natural logarithm', '自然对数', '自然對數'),
    isCommutative: false,
    dimension: ([a]) => dimensionOnEach(a),
    column: ([a]) => a.map((figure) => (figure > 0 ? Math.log(figure) : Number.NaN)),
  },
  sqrt: {
    args: [value()],
    description: text('Square root', '平方根', '平方根'),
    isCommutative: false,
    dimension: ([a]) => dimensionOnEach(a),
    column: ([a]) => a.map(Math.sqrt),
  },
} satisfies Record<string, Entry<PointwiseFunction, 'dimension'> & Partial<Pick<PointwiseFunction, 'dimension'>>>);
