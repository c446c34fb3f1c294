/** A Node whose processes end as they do where a native binding of a package is missing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const MISSING_BINDING = "Error: Cannot find module '@duckdb/node-bindings-linux-x64/duckdb.node'";

/** Lets new processes of this one end so during an action. The folder is for files of the test. */
export async function withBrokenNode<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const { execPath } = process;
  process.execPath = join(folder, 'broken-node');
  writeFileSync(process.execPath, `#!/bin/sh\ncat > /dev/null\necho "${MISSING_BINDING}" >&2\nexit 7\n`, {
    mode: 0o755,
  });
  try {
    return await action();
  } finally {
    process.execPath = execPath;
  }
}
