/** Values of conditions. */
import { text } from '../../util/localized-text.ts';
import { type ChoiceFunction, type CountFunction, type Entry, family, period, value } from './function.ts';

const condition = { name: 'c', kind: 'condition' } as const;

export const CHOICES = family({ kind: 'choice', result: 'value' }, {
  if: {
    args: [condition, value(), { ...value('y'), isOptional: true }],
    description: text('x where c is true, y where it is false', 'c成立时为x，不成立时为y', 'c成立時為x，不成立時為y'),
  },
} satisfies Record<string, Entry<ChoiceFunction>>);

export const COUNTS = family({ kind: 'count', result: 'value' }, {
  count_of: {
    args: [condition, period(20)],
    description: text('How many of the last n bars meet c', '最近n根中c成立的根数', '最近n根中c成立的根數'),
  },
} satisfies Record<string, Entry<CountFunction>>);
