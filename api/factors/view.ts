/** Factor studies as the API shows them. */
import type { Sweep } from '../../db/sweeps/sweeps.ts';
import { factorSpecSchema } from '../../jobs/contracts/factors.ts';
import { pauseNotices, type ViewingCall, workView } from '../sweeps/view.ts';

export async function studyView(call: ViewingCall, study: Sweep, pauses = pauseNotices(call)) {
  const { factors, start, timeRange, universe } = factorSpecSchema.parse(study.spec);
  return {
    ...(await workView(call, study, pauses)),
    factors: factors.map(({ name }) => name),
    time_range: start === null ? timeRange : 'CUSTOM',
    skipped_symbols: universe.skipped ?? undefined,
  };
}
