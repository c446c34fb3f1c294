/**
 * Machines made of Linux namespaces: each has its own network, processes, folders (/etc, /opt, /var/lib), and root shell. They end
 * with the test, however it ends, because they end with the standard input of their shells.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = ['engine', 'db', 'storage', 'jobs', 'api', 'migrations', 'ops', 'package.json', 'package-lock.json'];
const PROGRAMS = ['ip', 'unshare', 'setpriv', 'useradd', 'psql'];

function run(...command: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command[0], command.slice(1));
  if (status !== 0) throw new Error(`${command.join(' ')}: ${error ?? stderr}`);
}

/** The reason why there can be no machines here; null: there can. */
export function noMachines(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root of a Linux makes namespaces';
  const missing = PROGRAMS.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length > 0) return `${missing.join(', ')} missing`;
  const name = `market-probe-${process.pid}`;
  try {
    run('ip', 'netns', 'add', name);
    run('ip', 'netns', 'del', name);
    run('unshare', '--mount', '--pid', '--fork', '--mount-proc', 'true');
    return null;
  } catch (error) {
    return `namespaces are refused: ${error}`;
  }
}

export class Machine {
  readonly name: string;
  private readonly shell: ChildProcessWithoutNullStreams;
  private readonly lines: Interface;
  private errors = '';

  private constructor(name: string, env: Readonly<Record<string, string>>) {
    this.name = name;
    const isolation = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
    this.shell = spawn('unshare', [...isolation, 'ip', 'netns', 'exec', name, 'bash'], {
      env: { ...process.env, ...env, CHECKOUT },
    });
    this.lines = createInterface({ input: this.shell.stdout });
    this.shell.stderr.on('data', (bytes) => {
      this.errors = `${this.errors}${bytes}`.slice(-5_000);
    });
  }

  /** Starts a machine with the release in /opt/market-data. `env`: variables of its shell. */
  static async start(name: string, env: Readonly<Record<string, string>>): Promise<Machine> {
    run('ip', 'netns', 'add', name);
    const machine = new Machine(name, env);
    await machine.run(`
      mount -t tmpfs tmpfs /mnt
      mkdir /mnt/upper /mnt/work /mnt/bin
      mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc
      mount -t tmpfs tmpfs /opt
      mount -t tmpfs -o mode=755 tmpfs /var/lib
      mkdir -p /opt/market-data /etc/systemd/system
      cd "$CHECKOUT"
      tar -c --exclude node_modules ${ROOMS.join(' ')} | tar -x --no-same-owner -C /opt/market-data
      cp test/support/stand-ins/* /mnt/bin
    `);
    return machine;
  }

  /** Joins two machines by a cable, each with one address of a network of 24 bits. */
  static async join(one: Machine, oneAddress: string, other: Machine, otherAddress: string): Promise<void> {
    const [end, otherEnd] = [`mk${process.pid}a`, `mk${process.pid}b`];
    run('ip', 'link', 'add', end, 'netns', one.name, 'type', 'veth', 'peer', 'name', otherEnd, 'netns', other.name);
    await one.connect(end, oneAddress);
    await other.connect(otherEnd, otherAddress);
  }

  private async connect(device: string, address: string): Promise<void> {
    await this.run(`ip link set lo up; ip addr add ${address}/24 dev ${device}; ip link set ${device} up`);
  }

  /** Runs commands in a shell of root; resolves with their output, and rejects with that and the errors when one fails. */
  async run(commands: string): Promise<string> {
    const mark = `end-${crypto.randomUUID()}`;
    this.errors = '';
    this.shell.stdin.write(
      `( set -euo pipefail; PATH=/mnt/bin:$PATH\n${commands}\n) < /dev/null; status=$?; echo; echo "${mark} $status"\n`,
    );
    const output: string[] = [];
    for await (const [line] of on(this.lines, 'line', { close: ['close'] })) {
      if (line.startsWith(mark)) {
        if (line !== `${mark} 0`) throw new Error(`${this.name}: ${commands}\n${output.join('\n')}\n${this.errors}`);
        return output.join('\n').trim();
      }
      output.push(line);
    }
    throw new Error(`${this.name} ended: ${this.errors}`);
  }

  /** Sets variables of the shell. */
  set(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) this.shell.stdin.write(`export ${name}='${value}'\n`);
  }

  /** Ends everything on it. */
  async stop(): Promise<void> {
    const ended = once(this.shell, 'exit');
    this.shell.kill('SIGKILL');
    await ended;
    run('ip', 'netns', 'del', this.name);
  }
}
