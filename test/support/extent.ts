/** How much a test tries: `npm run test:night` sets `TEST_EXTENT=whole`, and every other run tries a part, always the same. */
const isWhole = process.env.TEST_EXTENT === 'whole';

/** How many cases to try. */
export const cases = (part: number, whole: number): number => (isWhole ? whole : part);

/** Every n-th case, or all. */
export const everyNth = <T>(n: number, all: readonly T[]): readonly T[] => all.filter((_, i) => isWhole || i % n === 0);
