/** Notes of results in words. */
import { expect, it } from '@jest/globals';
import { buildDirectory } from '../../../api/market/directory.ts';
import { describeRange, type MarketNow } from '../../../api/runs/described-range.ts';
import type { NoteDetails } from '../../../jobs/runs/notes.ts';

const data_range = {
  actual_start: '2024-07-01',
  actual_end: '2024-12-31',
  bars: 128,
  truncated: false,
  reason_codes: [],
};

function capacity(details: NoteDetails): string {
  const facts = { symbol: 'AAA.US', day: '2024-08-01', order: 5000, ...details };
  const summary = { data_range, note_codes: ['capacity'] as const, note_details: { capacity: facts } };
  const market: MarketNow = { isBeingLoaded: () => false, findings: () => [], directory: buildDirectory([]) };
  return describeRange(summary, 'en', market).notes[0].message;
}

it('tells how large an order was, also where nothing had been traded before it', () => {
  expect(capacity({ share_pct: 12.5, single_venue: false })).toBe(
    'On 2024-08-01, an order of 5,000 in AAA.US was 12.5% of its usual dollar volume: so much can hardly be traded at these prices.',
  );
  const untraded = capacity({ share_pct: null, single_venue: true });
  expect(untraded).toMatch(/hardly traded at all: .* The volume of that day is that of one venue\.$/);
  expect(untraded).not.toContain('%');
});
