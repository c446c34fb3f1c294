/** Saves files on the machine of the reader. */

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/** Rows as CSV, as spreadsheets open it. */
export function saveCsv(name: string, rows: readonly (readonly (string | number)[])[]): void {
  const lines = rows.map((row) =>
    row.map((cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(','),
  );
  save(new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv' }), name);
}

/** Saves the picture of a canvas as PNG. */
export function savePixels(name: string, pixels: HTMLCanvasElement): void {
  pixels.toBlob((content) => content && save(content, name), 'image/png');
}

export function saveSvg(name: string, content: string): void {
  save(new Blob([content], { type: 'image/svg+xml' }), name);
}

/** The body of a response, under the name in its headers. */
export async function saveBlob(response: Response): Promise<void> {
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  save(await response.blob(), name ?? 'export');
}
