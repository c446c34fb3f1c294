/** Symbols as people type them: between spaces, commas, or lines. */
export function symbolsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .toUpperCase()
        .split(/[\s,;]+/)
        .filter((symbol) => symbol !== ''),
    ),
  ];
}
