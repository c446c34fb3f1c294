/** A judgement as it is stored: names of the API, figures rounded, no text in a language. */

import { PERIODS_PER_YEAR } from '../../engine/judge/frequency.ts';
import type { Judgement } from '../../engine/judge/judge.ts';
import type { JudgedStream, JudgeOptions } from '../../engine/judge/judge-stream.ts';
import type { StreamChoice } from '../../engine/judge/selection.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { momentsOf } from '../../engine/statistics/moments.ts';
import { tallyOf } from '../../engine/statistics/selection.ts';
import { rounded } from '../../engine/tear-sheet/tear-sheet.ts';
import {
  probability,
  reportHaircut,
  reportOverfitting,
  reportRealityCheck,
  reportSelection,
  reportStatistics,
  reportSuperior,
  sharpeMoments,
  wholeBars,
} from '../runs/statistics.ts';
import type { ReadRecord } from './read-record.ts';

export interface Reporting {
  readonly record: ReadRecord;
  readonly options: JudgeOptions;
  /** 16 hex digits. */
  readonly seed: string;
  /** Trials behind the record; null: its streams. */
  readonly trials: number | null;
}

export type ReportedJudgement = ReturnType<typeof reportJudgement>;

function reportStream(one: JudgedStream, { seed, options, record: { trades } }: Reporting, isChosen: boolean) {
  const { stream, missing, sheet, serial } = one;
  const { name, frequency, days } = stream;
  const statistics = reportStatistics(one.statistics, seed, options.benchmark?.name ?? '');
  return {
    name,
    first: formatDay(days[0]),
    last: formatDay(days[days.length - 1]),
    frequency,
    periods: days.length,
    missing,
    tear_sheet: rounded({ ...sheet, trades }),
    statistics: {
      ...statistics,
      // The reality check says what is shown of a record that was chosen among others.
      skill: statistics.skill && (isChosen ? { ...statistics.skill, shown: null } : statistics.skill),
    },
    serial: serial && {
      rho: probability(serial.rho),
      psr: probability(serial.psr),
      min_track_record: wholeBars(serial.minTrackRecord),
      critical_sharpe: probability(serial.criticalSharpe),
      power: probability(serial.power),
    },
  };
}

/** The selection of one stream: it has trials, and no others to compare with. */
function selectionOfOne({ stream, statistics }: JudgedStream, trials: number) {
  const perYear = PERIODS_PER_YEAR[stream.frequency];
  const moments = sharpeMoments(momentsOf(stream.returns));
  const bars = statistics.returns;
  const basis = { moments, appraisal: null, tally: tallyOf([], bars), bars };
  const { account: _account, ...selection } = reportSelection(trials, basis, null, perYear);
  return { best: stream.name, periods: stream.days.length, ...selection };
}

function selectionOfMany(choice: StreamChoice, { streams }: Judgement, trials: number) {
  const { stream } = streams[choice.best];
  const basis = {
    moments: sharpeMoments(choice.moments),
    spread: choice.spread,
    appraisal: sharpeMoments(choice.appraisal),
    appraisalSpread: choice.appraisalSpread,
    tally: tallyOf([], choice.periods),
    bars: choice.periods,
  };
  const perYear = PERIODS_PER_YEAR[stream.frequency];
  const { account: _account, ...selection } = reportSelection(trials, basis, null, perYear);
  return { best: stream.name, periods: choice.periods, ...selection };
}

export function reportJudgement(judgement: Judgement, reporting: Reporting) {
  const { streams, choice } = judgement;
  const { record, options, trials } = reporting;
  const isChosen = options.isChosen || streams.length > 1;
  const count = Math.max(trials ?? 1, streams.length);
  const nameOf = (i: number) => streams[i].stream.name;
  const perYear = PERIODS_PER_YEAR[streams[0].stream.frequency];
  const selection = choice
    ? selectionOfMany(choice, judgement, count)
    : streams.length === 1
      ? selectionOfOne(streams[0], count)
      : null;
  return {
    form: options.form,
    benchmark: options.benchmark?.name ?? null,
    streams: streams.map((one) => reportStream(one, reporting, isChosen)),
    selection,
    pbo: choice?.overfitting
      ? { pbo: probability(choice.overfitting.pbo), ...reportOverfitting(choice.overfitting) }
      : null,
    spa: choice?.realityCheck ? reportRealityCheck(choice.realityCheck) : null,
    step_m: choice?.superior ? reportSuperior(choice.superior, nameOf) : null,
    haircuts: choice?.haircut ? reportHaircut(choice.haircut, perYear) : null,
    fdr:
      streams.length === 1
        ? null
        : {
            prior: options.prior,
            sharpe: options.alternative,
            streams: streams.map(({ stream, fdr }) => ({ name: stream.name, fdr: probability(fdr) })),
          },
    notes: [...record.notes, ...judgement.notes],
    account: record.account,
  };
}
