import type { Text } from '../language/text.ts';

/** One error of the catalogue: its HTTP status and its texts, in which `{name}` stands for a detail. */
export interface ErrorEntry extends Text {
  readonly status: number;
  /** Replaces the text when the details count sessions that are not loaded. */
  readonly notLoaded?: Text;
  /** Replace the text when the details name one of these causes. */
  readonly because?: Readonly<Record<string, Text>>;
}
