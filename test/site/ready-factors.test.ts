/** The factors that a study begins with: each is a value, and has a name that the API takes. */
import { expect, it } from '@jest/globals';
import { factorsBody } from '../../api/factors/request.ts';
import { LOCALES } from '../../api/http/language/locale.ts';
import { checkedExpression } from '../../api/rules/resolve.ts';
import { READY_FACTORS } from '../../api/site/ready-factors.ts';
import { siteText } from '../../api/site/texts/catalogue.ts';

it.each(LOCALES)('are values with names in %s', (locale) => {
  const factors = READY_FACTORS.map(({ code, value }) => ({ name: siteText(`factors.ready.${code}`, locale), value }));
  expect(factorsBody.parse({ universe: { all: true }, factors }).factors).toEqual(factors);
  expect(new Set(factors.map(({ name }) => name)).size).toBe(8);
  for (const { value } of factors) checkedExpression(value, 'value', ['value'], 'peers');
});
