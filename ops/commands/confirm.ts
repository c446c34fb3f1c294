/** Asks for confirmation before something that cannot be undone. */
import { createInterface } from 'node:readline/promises';

/** Whether the operator agrees. Without a terminal, only `isGiven` (the option --yes) counts. */
export async function confirm(question: string, isGiven: boolean): Promise<boolean> {
  if (isGiven) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write(`${question}\nNobody can be asked here: give --yes to agree.\n`);
    return false;
  }
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await dialog.question(`${question} [y/N] `);
  dialog.close();
  return /^y(es)?$/i.test(answer.trim());
}
