/** The actions of a reader on a screen: opens it by its address, keeps it, watches it, and takes its table along. */
import { ruleOfField } from '../../../engine/screener/field-rules.ts';
import { fromAddress } from './address.ts';
import { textIn } from './dom.ts';
import { saveCsv } from './download.ts';
import { askFields } from './elements/ask-fields.ts';
import type { Universe } from './elements/universe-chip.ts';
import { amongFirst } from './run/among-first.ts';
import { questionHref } from './run/outcomes.ts';
import { type EvaluatedWatch, watchScreen } from './run/watch.ts';
import type { ScreenColumn } from './screen-table.ts';
import { post, signedInAs, signIn } from './session.ts';
import { t } from './tool-text.ts';
import type { OwnStrategy, Screened } from './types.ts';

/** Characters of a name. */
const MAX_NAME = 100;

const exitOf = (where: string) => `not (${where})`;

/** A screen is kept as a strategy of the account, which holds what is in it. */
export const isKeptScreen = ({ rules: { entry, exit } }: Pick<OwnStrategy, 'rules'>) => exit === exitOf(entry);

const isSignedIn = async () => signedInAs() !== null || (await signIn());

/** Resolves with whether the screen was kept. */
export async function askToKeep(where: string): Promise<boolean> {
  if (!(await isSignedIn())) return false;
  return askFields({
    title: t('screener.keep'),
    action: t('word.save'),
    fields: [{ name: 'name', label: t('word.name'), value: '', isRequired: true }],
    work: (form) =>
      post<OwnStrategy>('/v1/my/strategies', {
        name: textIn(form, 'name'),
        rules: { entry: where, exit: exitOf(where) },
      }),
  });
}

/** Resolves once the newest session is evaluated; null: the reader does not watch it. */
export async function askToWatch(name: string, screen: object): Promise<EvaluatedWatch | null> {
  if (!(await isSignedIn())) return null;
  let made: EvaluatedWatch | null = null;
  await askFields({
    title: t('screener.watch.title'),
    action: t('strategies.watch'),
    waiting: t('screener.watch.waiting'),
    fields: [
      { name: 'name', label: t('word.name'), value: name.slice(0, MAX_NAME), isRequired: true },
      { name: 'mail', label: t('signals.mail'), value: false },
    ],
    work: async (form) => {
      made = await watchScreen(textIn(form, 'name'), screen, form.get('mail') !== null);
    },
  });
  return made;
}

export function saveScreen({ items, data_freshness: { as_of } }: Screened, name: string): void {
  const columns = Object.keys(items[0]?.columns ?? {});
  saveCsv(`${name}-${as_of}.csv`, [
    ['symbol', 'name', 'close', 'change_pct', 'dollar_volume', ...columns, 'days_in'],
    ...items.map((hit) => [
      hit.symbol,
      hit.name,
      hit.close,
      hit.change_pct ?? '',
      hit.dollar_volume,
      ...columns.map((column) => hit.columns?.[column] ?? ''),
      hit.days_in ?? '',
    ]),
  ]);
}

export type ScreenOrder = NonNullable<ScreenColumn['by']> & { readonly order: 'asc' | 'desc' };

interface OrderedScreen {
  readonly where: string;
  readonly universe: Universe;
  readonly sort: ScreenOrder | null;
}

/** The address that asks what happened after instruments came to pass, or to be among the first `shown` that pass, in their order. */
export function questionOf({ where, universe: { kind, symbols }, sort }: OrderedScreen, shown: number): string {
  const members = symbols.length > 0 ? { symbols } : { all: true as const, ...(kind !== '' && { asset_type: kind }) };
  const by = sort && ('by' in sort ? sort.by : ruleOfField(sort.field, null));
  if (sort === null || by === null) return questionHref({ condition: where, universe: members });
  return questionHref({ condition: amongFirst(by, sort.order, shown), universe: { ...members, where } });
}

/** Conditions that the address has in place of a rule; null: none. */
export function conditionsInAddress(): readonly object[] | null {
  try {
    const given: unknown = JSON.parse(fromAddress('conditions') ?? '');
    return Array.isArray(given) ? given : null;
  } catch {
    return null;
  }
}
