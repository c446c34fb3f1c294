/** The blocks of server-sent events. */

/** The fields of each block, by their names. It reads piece by piece, because Safari cannot iterate a stream. */
export async function* blocksOf(
  stream: ReadableStream<string>,
): AsyncGenerator<Readonly<Record<string, string>>, void, undefined> {
  const reader = stream.getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = `${text}${value}`.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)));
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
