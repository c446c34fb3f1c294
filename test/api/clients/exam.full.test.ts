/** Questions with one right answer each, which an assistant can work out through `/mcp` alone, in few calls. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { eventually } from '../../support/eventually.ts';
import { type HandMarket, readMarket } from './exam/by-hand.ts';
import { TASKS, type Task } from './exam/tasks.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');

let service: ClientService;
let client: Client;
let market: HandMarket;

beforeAll(async () => {
  service = await openClientService();
  client = new Client({ name: 'exam', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${await service.addKey('enterprise')}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  market = await readMarket(new SampleProvider({ symbols: 50, now: () => NOW }), '2024-07-01', '2026-05-29');
});
afterAll(async () => {
  await client.close();
  await service.close();
});

function valueAt(answers: unknown, path: string): unknown {
  const [name, ...rest] = path.split('.');
  const part = typeof answers === 'object' && answers !== null ? Reflect.get(answers, name) : undefined;
  return rest.length === 0 ? part : valueAt(part, rest.join('.'));
}

/** An input in which values of earlier answers stand for their places. */
function filled(input: object, answers: readonly unknown[]): Record<string, unknown> {
  return JSON.parse(JSON.stringify(input).replace(/\{(\d+\.[\w.]+)\}/g, (_, path) => String(valueAt(answers, path))));
}

async function solve({ calls, figure }: Task): Promise<{ readonly figure: number; readonly calls: number }> {
  const answers: Record<string, unknown>[] = [];
  let count = 0;
  const ask = async (name: string, input: Record<string, unknown>) => {
    count++;
    const { structuredContent, content, isError = false } = await client.callTool({ name, arguments: input });
    expect([name, isError, isError && content]).toEqual([name, false, false]);
    return z.looseObject({}).parse(structuredContent);
  };
  for (const { tool, input } of calls) {
    const answer = await ask(tool, filled(input, answers));
    const isUnderWay = ({ status }: Record<string, unknown>) => status === 'queued' || status === 'running';
    const { kind, id } = answer;
    answers.push(
      isUnderWay(answer)
        ? await eventually(
            () => ask('read', { kind, id }),
            (state) => !isUnderWay(state),
          )
        : answer,
    );
  }
  return { figure: Number(valueAt(answers, figure)), calls: count };
}

describe('an assistant works out', () => {
  const counts: number[] = [];

  it.each(TASKS)('$question', async (task) => {
    const { figure, calls } = await solve(task);
    counts.push(calls);
    const expected = task.answer(market);
    expect(Number.isFinite(expected) && expected !== 0).toBe(true);
    expect(Math.abs(figure - expected) / Math.abs(expected)).toBeLessThan(1e-9);
  });

  it('all of it, with four calls or fewer for most', () => {
    expect(counts).toHaveLength(TASKS.length);
    expect(TASKS).toHaveLength(15);
    expect(counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(4);
  });
});
