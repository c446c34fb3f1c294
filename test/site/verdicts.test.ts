/** The page of the rules of verdicts, which the server writes. */
import { describe, expect, it } from '@jest/globals';
import { calibrationText, readCalibration } from '../../api/site/calibration.ts';
import { verdictsText } from '../../api/site/verdicts.ts';

/** Words of the interface, which are the same in every language. */
const WORDS_OF_CODE =
  /`[^`]*`|[a-z]+(_[a-z]+)+(\.\w+)?|\b(psr|alpha_t|StepM|sma|roc|close|macd|donchian|DSR|t|p)\b|commit|\b[0-9a-f]{8}\b/g;

describe('the page of verdicts', () => {
  it.each(['zh-CN', 'zh-TW'] as const)('is in %s to the last word', async (locale) => {
    const text = (await verdictsText(locale)).replace(WORDS_OF_CODE, '');
    expect(text.match(/[A-Za-z]{2,}/g) ?? []).toEqual([]);
  });

  it('says which rules claim more often than they should', async () => {
    const measured = await readCalibration();
    const shares = { '1': 0.01, '2': 0.091, '10': 0.01 };
    const none = { ...measured.truths.none, skill: { donchian: shares }, search: {}, step_m: {} };
    const text = (skill: object) =>
      calibrationText(
        {
          ...measured,
          truths: {
            none: { ...none, skill: skill as typeof none.skill },
            drift: { ...none, skill: {} as typeof none.skill },
          },
        },
        'en',
      );
    expect(text({ donchian: shares })).toContain('Above 8% are: donchian (A market without drift, 2Y, 9.1%).');
    expect(text({ donchian: { ...shares, '2': 0.08 } })).not.toContain('Above 8%');
  });
});
