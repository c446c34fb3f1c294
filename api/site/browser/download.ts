/** Saves files on the machine of the reader. */
import { ApiError, type CallOptions, dataOf } from './api.ts';
import { sendAsReader } from './session.ts';

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

/** The file that a call answers with. Throws an `ApiError` where it answers with none, or not yet. */
export async function saveAnswer(method: string, address: string, options: CallOptions = {}): Promise<void> {
  const response = await sendAsReader(method, address, options);
  if (!response.ok || response.status === 202) await dataOf(response);
  if (response.status === 202) throw new ApiError(503);
  await saveBlob(response);
}

/** The body of a response, under the name in its headers. */
export async function saveBlob(response: Response): Promise<void> {
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  save(await response.blob(), name ?? 'export');
}
