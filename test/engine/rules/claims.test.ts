/** The expressions of published claims, and factors of real bars, where both are available. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import Papa from 'papaparse';
import { adjustToLastBar } from '../../../engine/market/adjust.ts';
import { type CheckOptions, checkRule } from '../../../engine/rules/check.ts';
import { compileValue } from '../../../engine/rules/compile.ts';
import { evaluateMarket } from '../../../engine/rules/market-values.ts';
import { required } from '../../../engine/util/values.ts';
import { readMembers } from '../../support/real-market.ts';

const DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const CLAIMS = `${DATA}claims.csv`;
const ANSWERS = `${DATA}known-answers/factors.json.gz`;
const areThere = existsSync(CLAIMS) && existsSync(ANSWERS);
if (!areThere) process.stderr.write('SKIPPED: expressions of published claims, which are not available\n');

function checked(text: string, columns?: CheckOptions['columns']) {
  return checkRule(text, { result: 'value', market: 'peers', mayUsePosition: false, parameters: null, columns });
}

interface Answers {
  readonly cases: readonly {
    readonly name: string;
    readonly body: { readonly universe: { readonly symbols: readonly string[] } };
    readonly expected: {
      readonly factors: readonly {
        readonly value: string;
        readonly top: readonly { readonly symbol: string; readonly value: number }[];
      }[];
    };
  }[];
}

(areThere ? describe : describe.skip)('published claims', () => {
  const rows = areThere
    ? Papa.parse<Record<string, string>>(readFileSync(CLAIMS, 'utf8'), { header: true, skipEmptyLines: true }).data
    : [];

  it('are written in the language, and lack own columns at most', () => {
    expect(rows).toHaveLength(50);
    for (const { code, exact_expression: text } of rows) {
      expect([code, checked(text)]).toEqual([code, { expression: expect.anything() }]);
      const without = checked(text, new Map());
      const missing = 'problems' in without ? without.problems.map((problem) => problem.code) : [];
      expect([code, new Set(missing)]).toEqual([code, new Set(text.includes('my(') ? ['rule_column_unknown'] : [])]);
    }
  });

  it('have the factors of an independent implementation on the newest session', async () => {
    const answers = JSON.parse(gunzipSync(readFileSync(ANSWERS)).toString('utf8')) as Answers;
    const { body, expected } = required(answers.cases.find(({ name }) => name.startsWith('words')));
    const { symbols } = body.universe;
    const members = readMembers(new Set(symbols));
    const series = symbols.map((symbol) => {
      const { series: traded, events } = required(members.get(symbol));
      return adjustToLastBar(traded, events, 'total');
    });
    const sessions = Int32Array.from(new Set(series.flatMap(({ day }) => [...day]))).sort();
    const market = {
      members: series.map(() => ({ asset_type: 'stock', venue: '' })),
      visit: () => series.map((one, member) => ({ member, series: one, isDelisted: false })),
    };
    const values = expected.factors.map(({ value }) => {
      const found = checked(value);
      if ('problems' in found) throw new Error(`${value}: ${JSON.stringify(found.problems)}`);
      return compileValue(found.expression);
    });
    const answered = await evaluateMarket(market, { where: [], values }, { sessions, asked: [sessions.length - 1] });
    for (const [i, { value, top }] of expected.factors.entries()) {
      for (const one of top) {
        const figure = answered.values[i][symbols.indexOf(one.symbol)];
        const isSame = Math.abs(figure / one.value - 1) < 1e-9;
        expect({ factor: value, ...one, figure, isSame }).toMatchObject({ isSame: true });
      }
    }
  });
});
