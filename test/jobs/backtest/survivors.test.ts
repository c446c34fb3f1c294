/** The note on lists of survivors. */
import { expect, it } from '@jest/globals';
import { survivorNotes } from '../../../jobs/runs/notes.ts';

const YEAR = 365.25;
const list = (count: number, ended: number, isEtf = false) =>
  Array.from({ length: count }, (_, i) => ({ isEtf, hasEnded: i < ended }));

it('is there where fewer than 1 in 100 instrument-years ended, with both numbers', () => {
  expect(survivorNotes(list(50, 4), 10 * YEAR)).toEqual({ survivorship: { ended: 4, instrument_years: 500 } });
  expect(survivorNotes(list(50, 5), 10 * YEAR)).toEqual({});
});

it('is absent below 100 instrument-years, and funds do not count', () => {
  expect(survivorNotes(list(9, 0), 11 * YEAR)).toEqual({});
  expect(survivorNotes(list(10, 0), 10 * YEAR)).toEqual({ survivorship: { ended: 0, instrument_years: 100 } });
  expect(survivorNotes([...list(9, 0), ...list(90, 0, true)], 11 * YEAR)).toEqual({});
});
