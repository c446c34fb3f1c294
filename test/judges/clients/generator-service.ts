/** A service that generated clients call, and a folder with its description. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openClient } from '../../../api/clients/typescript/index.ts';
import { openClientService } from '../../support/client-service.ts';
import { DESCRIPTION } from '../../support/description.ts';

/** The packages of the judges. */
export const JUDGES = fileURLToPath(new URL('../node_modules', import.meta.url));

export interface GeneratorService {
  /** Has `openapi.json`, and finds the packages of the judges. */
  readonly folder: string;
  /** Address and key for the programs that call it. */
  readonly env: Readonly<Record<string, string>>;
  /** The answers that the client of this project gets to the ten calls of a program. */
  wanted(): Promise<unknown>;
  close(): Promise<void>;
}

export async function openGeneratorService(): Promise<GeneratorService> {
  const service = await openClientService();
  const folder = mkdtempSync(join(tmpdir(), 'market-generators-'));
  writeFileSync(join(folder, 'openapi.json'), DESCRIPTION);
  symlinkSync(JUDGES, join(folder, 'node_modules'));
  const env = { MARKET_API_URL: service.url, MARKET_API_KEY: await service.addKey('enterprise') };
  return {
    folder,
    env,
    wanted: () => wantedAnswers(env.MARKET_API_URL, env.MARKET_API_KEY),
    close: async () => {
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function wantedAnswers(url: string, key: string): Promise<unknown> {
  const { quote, kline, events, staticInfo, symbols, strategies, screen, backtest, call } = openClient({
    url,
    key,
  });
  return [
    (await quote('ACRX')).last,
    (await kline('ACRX', { days: 3 })).bars.map(({ close }) => close),
    (await events('ACRX')).events.length,
    (await staticInfo('ACRX')).name,
    (await symbols({ q: 'corp' })).items.map(({ symbol }) => symbol),
    (await strategies()).strategies.length,
    (await screen({ where: 'close > 5' })).total,
    (await backtest({ symbol: 'ACRX', strategy: 'sma_cross', time_range: '1Y' })).num_trades,
    (await call('listPlans', {})).plans.map(({ code }) => code),
    (await call('getMeta', {})).version,
  ];
}
