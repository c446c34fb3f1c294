/**
 * The engine of sweeps as a program of one file, for machines without this project: `plan` checks a request (JSON in, JSON out), and
 * `cells PLAN [OTHERS]` computes the cells of instruments (an Arrow stream of their rows in, one of cells out). PLAN is the answer of
 * `plan`, OTHERS the rows of the instruments that rules name. It ends with 2 and one line when its input is wrong.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { RecordBatchStreamWriter } from 'apache-arrow';
import { errorBody } from '../../../api/http/errors/error-body.ts';
import { ServiceError } from '../../../engine/util/errors.ts';
import { lastReadDay } from '../../../jobs/contracts/sweep.ts';
import type { History } from '../../../jobs/runs/history.ts';
import { cellBatches } from './cells.ts';
import { readHistories } from './histories.ts';
import { InputError } from './input-error.ts';
import { type Plan, planOf, planSchema } from './plan.ts';

async function plan(): Promise<void> {
  process.stdout.write(JSON.stringify(planOf(JSON.parse(await text(process.stdin)))));
}

async function cells(planFile: string, othersFile: string | undefined): Promise<void> {
  const plan = planSchema.parse(JSON.parse(readFileSync(planFile, 'utf8')));
  const others = await readOthers(plan, othersFile);
  const histories = readHistories(process.stdin, lastReadDay(plan.sweep));
  const writer = new RecordBatchStreamWriter();
  // The output is a pipe, which holds the program back while its reader is slower.
  const written = pipeline(Readable.from(writer), process.stdout);
  await writer.writeAll(cellBatches(plan, others, histories));
  await written;
}

async function readOthers({ sweep }: Plan, file: string | undefined): Promise<Map<string, History>> {
  const others = new Map<string, History>();
  if (file === undefined) return others;
  for await (const { symbol, history } of readHistories(createReadStream(file), lastReadDay(sweep)))
    others.set(symbol, history);
  return others;
}

async function main([command, planFile, othersFile]: readonly string[]): Promise<void> {
  if (command === 'plan') return plan();
  if (command === 'cells' && planFile !== undefined) return cells(planFile, othersFile);
  throw new InputError('usage: plan | cells PLAN [OTHERS]');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof ServiceError) return end(2, errorBody(error, 'en').message);
  if (error instanceof InputError) return end(2, error.message);
  end(1, error instanceof Error ? (error.stack ?? error.message) : String(error));
});

function end(code: number, message: string): void {
  process.exitCode = code;
  process.stderr.write(`${message}\n`);
}
