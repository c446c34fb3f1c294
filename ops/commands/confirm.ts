/** Asks for confirmation before something that cannot be undone. */
import ask from '@inquirer/confirm';

/** Whether the operator agrees. Without a terminal, only `isGiven` (the option --yes) counts. */
export async function confirm(question: string, isGiven: boolean): Promise<boolean> {
  if (isGiven) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write(`${question}\nNobody can be asked here: give --yes to agree.\n`);
    return false;
  }
  return ask({ message: question, default: false }, { output: process.stderr });
}
