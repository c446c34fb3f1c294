import type { Text } from '../language/locale.ts';

/** One error of the catalogue: its HTTP status and its texts, in which `{name}` is replaced by a detail. */
export interface ErrorEntry extends Text {
  readonly status: number;
  /** Replaces the text if the details have a number of missing sessions. */
  readonly notLoaded?: Text;
  /** Replace the text if `because` of the details names one of them. */
  readonly because?: Readonly<Record<string, Text>>;
}
