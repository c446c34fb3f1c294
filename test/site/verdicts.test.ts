/** The page of the rules of verdicts, which the server writes. */
import { describe, expect, it } from '@jest/globals';
import { calibrationText, readCalibration, verdictsText } from '../../api/site/calibration.ts';

/** Words of the interface, which are the same in every language. */
const WORDS_OF_CODE =
  /`[^`]*`|[a-z]+(_[a-z]+)+(\.\w+)?|\b(psr|alpha_t|StepM|sma|roc|close|macd|donchian|DSR|t|p)\b|commit|\b[0-9a-f]{7,12}\b/g;

describe('the page of verdicts', () => {
  it.each(['zh-CN', 'zh-TW'] as const)('is in %s to the last word', async (locale) => {
    const text = (await verdictsText(locale)).replace(WORDS_OF_CODE, '');
    expect(text.match(/[A-Za-z]{2,}/g) ?? []).toEqual([]);
  });

  it('says which rules claim more often than they should', async () => {
    const measured = await readCalibration();
    const shares = { '1': 0.01, '10': 0.01 };
    const text = (two: number) => {
      const none = { ...measured.truths.none, skill: { donchian: { ...shares, '2': two } }, search: {}, step_m: {} };
      return calibrationText({ ...measured, truths: { none, drift: { ...none, skill: {} } } }, 'en');
    };
    expect(text(0.091)).toContain('Above 8% are: donchian (A market without drift, 2Y, 9.1%).');
    expect(text(0.08)).not.toContain('Above 8%');
  });
});
