/** Runs that the reader has put aside to compare, kept or not: their calls, in this browser and in the address of the comparison. */
import { fromAddress } from '../address.ts';
import { JobFailure } from '../api.ts';
import { askFields } from '../elements/ask-fields.ts';
import { MAX_COMPARED } from '../elements/compare-chart.ts';
import { keepHere, keptHere } from '../kept-list.ts';
import { ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';
import { MEASURED_KINDS, strategyName } from './kind.ts';

const KEY = 'compared';

export interface ComparedCall {
  readonly kind: (typeof MEASURED_KINDS)[number];
  readonly name: string;
  /** The call that makes it. */
  readonly body: object;
}

const isCall = (given: unknown): given is ComparedCall =>
  typeof given === 'object' &&
  given !== null &&
  'body' in given &&
  'kind' in given &&
  MEASURED_KINDS.some((kind) => kind === given.kind);

/** The calls that the address names, as many as can be compared. */
export function callsInAddress(): readonly ComparedCall[] {
  try {
    const given: unknown = JSON.parse(fromAddress('runs') ?? '[]');
    return Array.isArray(given) ? given.filter(isCall).slice(0, MAX_COMPARED) : [];
  } catch {
    return [];
  }
}

const same = (a: ComparedCall) => (b: ComparedCall) => JSON.stringify(a.body) === JSON.stringify(b.body);

/** Puts a run aside, and asks what else it is compared with: runs put aside before, and other strategies on its symbol. */
export async function addToCompare(
  kind: ComparedCall['kind'],
  body: object,
  { strategies, ...known }: Strategies,
  title: string,
): Promise<void> {
  const added: ComparedCall = { kind, name: title, body };
  const others = keptHere<readonly ComparedCall[]>(KEY, []).filter((call) => !same(added)(call));
  keepHere(KEY, [...others, added].slice(-MAX_COMPARED));
  const symbol = 'symbol' in body && typeof body.symbol === 'string' ? body.symbol : null;
  const own = 'strategy' in body ? body.strategy : null;
  const more = strategies
    .filter(({ code }) => symbol !== null && code !== own)
    .map(({ code }): ComparedCall => {
      const name = `${ticker(symbol ?? '')} · ${strategyName({ strategies, ...known }, code)}`;
      return { kind, name, body: { ...body, strategy: code, params: undefined, rules: undefined } };
    });
  const offered = [added, ...others, ...more];
  await askFields({
    title: t('compare.with'),
    action: t('compare.column'),
    fields: offered.map(({ name }, i) => ({ name: String(i), label: name, value: i <= others.length })),
    work: async (form) => {
      const chosen = offered.filter((_, i) => form.has(String(i)));
      if (chosen.length > MAX_COMPARED) throw new JobFailure(t('compare.most', { most: MAX_COMPARED }));
      keepHere(KEY, chosen);
      location.assign(`/runs?${new URLSearchParams({ runs: JSON.stringify(chosen) })}`);
    },
  });
}
