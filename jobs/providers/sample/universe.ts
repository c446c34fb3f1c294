/** The instruments of the sample market: invented companies and funds, with the events that real ones have. */
import type { Adjustment } from '../../../engine/market/adjust.ts';
import { isSession, sessionsBetween } from '../../../engine/market/calendar.ts';
import { type Day, dayOf } from '../../../engine/market/dates.ts';
import type { PreviousTicker } from '../../../engine/market/ticker-book.ts';

/** Seeded random numbers: the same seeds give the same market everywhere. */
export class Random {
  private state: number;

  constructor(...seeds: readonly number[]) {
    this.state = 0x9e3779b9;
    for (const seed of seeds) this.state = Math.imul(this.state ^ seed, 0x85ebca6b) ^ (this.state >>> 13);
    for (let i = 0; i < 4; i++) this.uniform();
  }

  /** In [0, 1): mulberry32, a 32-bit generator good enough to draw prices with. */
  uniform(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Standard normal (Box-Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** Whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)];
  }
}

export const FIRST_DAY = dayOf(2015, 1, 2);
/** From this day on there are consolidated bars, and before it primary-session ones. */
export const CONSOLIDATED_FROM = dayOf(2024, 7, 1);
const UNIVERSE_SEED = 20_150_102;

export interface SampleInstrument {
  readonly seed: number;
  readonly ticker: string;
  readonly name: string;
  readonly assetType: string;
  readonly primaryVenue: string;
  readonly listedOn: Day;
  readonly delistedOn: Day | null;
  readonly isPopular: boolean;
  readonly lotSize: number;
  readonly previousTickers: readonly PreviousTicker[];
  readonly events: readonly Adjustment[];
  /** Share of the price that a showcase pays every quarter; the price falls by as much on the ex-day. */
  readonly quarterlyDividend: number;
  /** Whether the newest session is published with a wrong close, which is corrected with the next session. */
  readonly isRestated: boolean;
  /** Days without a bar. */
  readonly halts: readonly (readonly [Day, Day])[];
  /** Price of 2015 on today's share count, yearly drift and volatility of log prices, and shares per day. */
  readonly startPrice: number;
  readonly drift: number;
  readonly volatility: number;
  readonly baseVolume: number;
}

const FIRST_WORDS =
  'Alder Amber Apex Aurora Basalt Beacon Birch Bluewater Boreal Bright Canyon Cedar Cinder Cobalt Copper Coral Crescent Crown Delta Drift Eagle Ember Evergreen Falcon Fern Fjord Flint Garnet Glacier Granite Harbor Hazel Heron Hickory Horizon Indigo Iron Ivory Jasper Juniper Keystone Lantern Larch Laurel Lumen Maple Marble Meridian Mesa Mistral Northgate Oak Obsidian Onyx Opal Orchard Osprey Pacific Palisade Pearl Pine Pioneer Prairie Quartz Quill Raven Redwood Ridge River Sable Saffron Sierra Silver Slate Solstice Sparrow Spruce Sterling Summit Tamarack Thistle Timber Topaz Tundra Umber Vale Vertex Walnut Westwind Willow Zephyr'.split(
    ' ',
  );
const BUSINESSES =
  'Semiconductors Therapeutics Logistics Bancorp Energy Software Robotics Foods Materials Aerospace Insurance Networks Pharma Retail Mining Utilities Media Devices Biologics Motors Water Capital Shipping Textiles Optics'.split(
    ' ',
  );
const THEMES =
  'Total Market, Dividend Growth, Small Cap Value, Clean Energy, Treasury Bond, Momentum, Low Volatility, Quality, Real Estate, Emerging Markets, Cybersecurity, Health Care'.split(
    ', ',
  );
const VENUES = ['NASDAQ', 'NYSE', 'NYSE ARCA', 'NYSE AMERICAN', 'BATS'];

function split(year: number, month: number, dayOfMonth: number, factor: number): Adjustment {
  return { exDay: dayOf(year, month, dayOfMonth), kind: factor < 1 ? 'split' : 'reverse_split', factor };
}

/** The first instruments of a market of any size: one for each special case. */
const SHOWCASE: readonly (Partial<SampleInstrument> & Pick<SampleInstrument, 'ticker' | 'name'>)[] = [
  {
    ticker: 'ACRX',
    name: 'Apex Circuits Corp. Common Stock',
    events: [split(2020, 8, 31, 0.25), split(2025, 6, 9, 0.1)],
    startPrice: 4,
    drift: 0.25,
  },
  {
    ticker: 'MTMX',
    name: 'Meridian Total Market ETF',
    assetType: 'etf',
    primaryVenue: 'NYSE ARCA',
    volatility: 0.16,
    quarterlyDividend: 0.008,
  },
  {
    ticker: 'BRVA',
    name: 'Boreal Vaults Inc. Class A Common Stock',
    events: [split(2023, 3, 6, 10), split(2025, 3, 10, 20)],
    drift: -0.35,
  },
  {
    ticker: 'LUMA',
    name: 'Lumen Maritime Holdings (formerly Lantern Shipping)',
    previousTickers: [{ ticker: 'LTNS', lastDay: dayOf(2023, 5, 12) }],
    isRestated: true,
  },
  {
    ticker: 'QILL',
    name: 'Quill Media Group (first of its ticker)',
    listedOn: dayOf(2009, 3, 2),
    delistedOn: dayOf(2019, 8, 16),
  },
  { ticker: 'QILL', name: 'Quillon Robotics Inc. Common Stock', listedOn: dayOf(2021, 4, 14) },
  {
    ticker: 'TMRK',
    name: 'Tamarack Mining Ltd. Common Stock',
    halts: [
      [dayOf(2022, 2, 14), dayOf(2022, 3, 4)],
      [dayOf(2025, 9, 15), dayOf(2025, 9, 26)],
    ],
  },
  { ticker: 'NWIP', name: 'Northgate Water IPO Corp. Common Stock', listedOn: dayOf(2025, 10, 15) },
  { ticker: 'GLCR', name: 'Glacier Foods Inc. Common Stock', delistedOn: dayOf(2023, 11, 30) },
  { ticker: 'EMBR', name: 'Ember Crédit Financier SA Depositary Shares', delistedOn: dayOf(2025, 4, 30) },
  { ticker: 'HRZ.B', name: 'Horizon Insurance Group Class B Common Stock', startPrice: 280, quarterlyDividend: 0.02 },
  {
    ticker: 'ALDR-A',
    name: 'Alder Bancorp 6.25% Series A Preferred Stock',
    assetType: 'preferred',
    volatility: 0.08,
    quarterlyDividend: 0.0156,
  },
  { ticker: 'CRSTW', name: 'Crescent Acquisition Corp. Warrants', assetType: 'warrant', startPrice: 0.9 },
  { ticker: 'CRSTU', name: 'Crescent Acquisition Corp. Units', assetType: 'unit', volatility: 0.05, startPrice: 10 },
];

/** All instruments of a market of `size`, in a fixed order. */
export function sampleUniverse(size: number): SampleInstrument[] {
  const random = new Random(UNIVERSE_SEED);
  const taken = new Set(SHOWCASE.flatMap((s) => [s.ticker, ...(s.previousTickers ?? []).map((p) => p.ticker)]));
  const instruments = SHOWCASE.map((showcase, i) => {
    const instrument: SampleInstrument = { ...drawInstrument(random, i, taken), ...showcaseDefaults(), ...showcase };
    const { quarterlyDividend: share, events, listedOn } = instrument;
    if (share === 0) return instrument;
    return { ...instrument, events: [...events, ...quarterlyDividends(share, listedOn)] };
  });
  while (instruments.length < size) instruments.push(drawInstrument(random, instruments.length, taken));
  return instruments;
}

/** Defaults of a showcase, which has no other events than those that it shows. */
function showcaseDefaults() {
  return {
    assetType: 'stock',
    listedOn: dayOf(2001, 5, 14),
    delistedOn: null,
    isPopular: true,
    events: [],
    halts: [],
    previousTickers: [],
  };
}

function drawInstrument(random: Random, index: number, taken: Set<string>): SampleInstrument {
  const assetType = drawAssetType(random);
  const [first, business] = [random.pick(FIRST_WORDS), random.pick(BUSINESSES)];
  const listedOn = random.uniform() < 0.3 ? drawSession(random, 2016, 2026) : drawSession(random, 1985, 2014);
  const delistedOn = random.uniform() < 0.12 ? drawSession(random, 2017, 2026) : null;
  const isWorthy = assetType === 'stock' || assetType === 'etf';
  const isAlive = delistedOn === null || delistedOn > listedOn + 60;
  return {
    seed: index + 1,
    ticker: drawTicker(random, first, business, taken),
    name: nameOf(random, assetType, first, business),
    assetType,
    primaryVenue: assetType === 'etf' ? 'NYSE ARCA' : random.pick(VENUES),
    listedOn,
    delistedOn: isAlive ? delistedOn : null,
    isPopular: isWorthy && delistedOn === null && random.uniform() < 0.08,
    lotSize: random.uniform() < 0.02 ? 10 : 100,
    previousTickers: [],
    quarterlyDividend: 0,
    isRestated: false,
    events: isWorthy ? drawEvents(random, listedOn) : [],
    halts: [],
    startPrice: Math.exp(random.between(Math.log(4), Math.log(250))),
    drift: random.between(-0.06, 0.14),
    volatility: assetType === 'etf' ? random.between(0.08, 0.25) : random.between(0.2, 0.65),
    baseVolume: Math.exp(random.between(Math.log(20_000), Math.log(8_000_000))),
  };
}

function drawAssetType(random: Random): string {
  const u = random.uniform();
  if (u < 0.62) return 'stock';
  if (u < 0.82) return 'etf';
  if (u < 0.89) return 'warrant';
  return u < 0.95 ? 'preferred' : 'unit';
}

function nameOf(random: Random, assetType: string, first: string, business: string): string {
  switch (assetType) {
    case 'etf':
      return `${first} ${random.pick(THEMES)} ETF`;
    case 'warrant':
      return `${first} ${business} Acquisition Corp. Warrants`;
    case 'preferred':
      return `${first} ${business} ${random.integer(16, 30) / 4}% Preferred Stock`;
    case 'unit':
      return `${first} ${business} Acquisition Corp. Units`;
    default:
      return `${first} ${business} ${random.pick(['Inc.', 'Corp.', 'Holdings', 'Group', 'Ltd.'])} Common Stock`;
  }
}

/** Letters of both words, or random ones until the ticker is unique. */
function drawTicker(random: Random, first: string, business: string, taken: Set<string>): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  let ticker = `${first.slice(0, 2)}${business.slice(0, 1)}X`.toUpperCase();
  for (let tries = 0; taken.has(ticker); tries++) {
    const length = tries < 20 ? 4 : 5;
    ticker = `${first[0].toUpperCase()}${Array.from({ length: length - 1 }, () => random.pick(letters)).join('')}`;
  }
  taken.add(ticker);
  return ticker;
}

function drawSession(random: Random, fromYear: number, toYear: number): Day {
  let day = random.integer(dayOf(fromYear, 1, 1), dayOf(toYear, 6, 30));
  while (!isSession(day)) day++;
  return day;
}

function drawEvents(random: Random, listedOn: Day): Adjustment[] {
  const events: Adjustment[] = [];
  if (random.uniform() < 0.1) {
    const factor = random.pick([0.5, 0.5, 0.25, 0.2, 1 / 3, 5, 10]);
    events.push({ exDay: drawSession(random, 2016, 2026), kind: factor < 1 ? 'split' : 'reverse_split', factor });
  }
  if (random.uniform() < 0.35) events.push(...quarterlyDividends(random.between(0.002, 0.009), listedOn));
  return events.filter((event) => event.exDay > listedOn);
}

/** Cash dividends of a share of the price in the middle of March, June, September and December. */
function quarterlyDividends(share: number, listedOn: Day): Adjustment[] {
  const dividends: Adjustment[] = [];
  for (let year = 2015; year <= 2026; year++) {
    for (const month of [3, 6, 9, 12]) {
      const exDay = sessionsBetween(dayOf(year, month, 10), dayOf(year, month, 20))[0];
      dividends.push({ exDay, kind: 'cash_dividend', factor: Number((1 - share).toFixed(6)) });
    }
  }
  return dividends.filter(({ exDay }) => exDay > listedOn);
}
