/** `ops --api URL …`: commands for analysts, which call a service by its TypeScript client. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { InvalidOption, MarketError, openClient } from '../../../api/clients/typescript/index.ts';
import { RETRIES } from '../../../api/clients/typescript/transport.ts';
import { addColumnCommands } from './column-commands.ts';
import { addForwardCommands } from './forward-command.ts';
import { addJudgeCommand } from './judge-command.ts';
import { addMarketCommands } from './market-commands.ts';
import { addOutcomeCommand } from './outcome-command.ts';
import { fail, USAGE_EXIT_CODE } from './output.ts';
import { addRunCommands, addTearSheetCommand } from './run-commands.ts';
import { addSweepCommands } from './sweep-commands.ts';

const NOTES = `
MARKET_API_URL and MARKET_API_KEY set the address and the API key too. Everyone who can list the processes of this machine sees the key of
--key, so prefer the environment variable.

  npm run -s ops -- --api https://market.example.com quote SYMBOL
  MARKET_API_KEY=md_… npm run -s ops -- api backtest run SYMBOL --strategy sma_cross --param fast_period=10
`;

interface GlobalOptions {
  readonly api?: string;
  readonly key?: string;
  readonly language?: string;
  readonly retries: number;
}

function retriesOption(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number from 0 to 99');
}

function remoteProgram(): Command {
  const program = new Command('ops api')
    .description('Call a service over HTTP')
    .option('--api <url>', 'address of the service (default: MARKET_API_URL, or http://127.0.0.1:3000)')
    .option('--key <key>', 'API key (default: MARKET_API_KEY; without one, calls are those of a guest)')
    .option('--language <tag>', 'language of texts: en, zh-CN, zh-TW')
    .option('--json', 'print answers as JSON')
    .option('--retries <n>', 'retries of a call', retriesOption, RETRIES.maxRetries)
    .addHelpText('after', NOTES)
    .exitOverride();
  const connect = () => {
    const { api: url, key, language, retries } = program.opts<GlobalOptions>();
    return openClient({ url, key, language, retries });
  };
  addMarketCommands(program, connect);
  addRunCommands(program, connect);
  addTearSheetCommand(program, connect);
  addSweepCommands(program, connect);
  addOutcomeCommand(program, connect);
  addJudgeCommand(program, connect);
  addForwardCommands(program, connect);
  addColumnCommands(program, connect);
  return program;
}

/** Runs a command line. A failure is printed as one sentence with the id of the request. */
export async function runRemote(words: readonly string[]): Promise<void> {
  try {
    await remoteProgram().parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
      return;
    }
    if (!(error instanceof MarketError)) throw error;
    fail(error);
    if (error instanceof InvalidOption) process.exitCode = USAGE_EXIT_CODE;
  }
}
