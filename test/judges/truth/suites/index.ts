/** All suites, in the order of the page. */
import type { Suite } from '../suite.ts';
import { ARCH } from './arch-figures.ts';
import { BACKTESTING } from './backtesting-runs.ts';
import { BT } from './bt-portfolios.ts';
import { CALENDARS } from './calendars.ts';
import { DUCKDB } from './duckdb.ts';
import { ALPHALENS } from './factor-studies.ts';
import { OVERFITTING } from './overfitting-figures.ts';
import { PANDAS } from './pandas-bars.ts';
import { PUBLISHED_INDICATORS } from './published-indicators.ts';
import { PUBLISHED_RETURNS } from './published-returns.ts';
import { PUBLISHED_STATISTICS } from './published-statistics.ts';
import { RETURN_FIGURES } from './return-figures.ts';
import { ROTATION_WEIGHTS } from './rotation-weights.ts';
import { SCIPY } from './scipy-figures.ts';
import { SEARCH_TESTS } from './search-tests.ts';
import { SKILL } from './skill-figures.ts';
import { TA_LIB } from './ta-lib.ts';
import { TEAR_SHEETS } from './tear-sheet-figures.ts';
import { WEIGHTS } from './weight-figures.ts';
import { ZIPLINE } from './zipline-adjustments.ts';

export const SUITES: readonly Suite[] = [
  TA_LIB,
  ...PUBLISHED_INDICATORS,
  BACKTESTING,
  BT,
  ...RETURN_FIGURES,
  TEAR_SHEETS,
  ...PUBLISHED_RETURNS,
  ARCH,
  SKILL,
  SEARCH_TESTS,
  SCIPY,
  PUBLISHED_STATISTICS,
  OVERFITTING,
  WEIGHTS,
  ROTATION_WEIGHTS,
  PANDAS,
  DUCKDB,
  ALPHALENS,
  ZIPLINE,
  ...CALENDARS,
];
