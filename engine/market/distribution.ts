/** Distribution modes: how recent the bars may be that leave the service. */
export const DISTRIBUTION_MODES = ['eod_only', 'delayed', 'realtime'] as const;
export type DistributionMode = (typeof DISTRIBUTION_MODES)[number];

/** Calendar days, by New York time, between today and the newest day that may be distributed. */
export const DAYS_HELD_BACK: Readonly<Record<DistributionMode, number>> = { eod_only: 1, delayed: 0, realtime: 0 };
