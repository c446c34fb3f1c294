/** Values of own columns, named in quotes. */
import { text } from '../../util/localized-text.ts';
import { type Entry, family, type OwnFunction } from './function.ts';

export const OWN = family({ kind: 'own', result: 'value' }, {
  my: {
    args: [
      { name: 'name', kind: 'column' },
      { name: 'n', kind: 'age', min: 0, max: 5_040 },
    ],
    description: text(
      'The newest value of an own column that was known by the close, at most n sessions old (left out: as old as the column allows)',
      '截至收盘已知的自有数据列的最新值，最多n个交易日前（省略：按该列的期限）',
      '截至收盤已知的自有資料欄的最新值，最多n個交易日前（省略：依該欄的期限）',
    ),
  },
} satisfies Record<string, Entry<OwnFunction>>);
