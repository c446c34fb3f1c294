/**
 * Machines made of Linux namespaces: each has its own network, processes, folders (/etc, /opt, /run, /usr/local/sbin, /var/lib, /var/log),
 * and root shell. They end with the test, however it ends, because they end with the standard input of their shells.
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

/** The reason why there can be no machines with these programs here; null: there can. */
export function noMachines(morePrograms: readonly string[] = []): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root of a Linux makes namespaces';
  const missing = [...PROGRAMS, ...morePrograms].filter((name) => spawnSync('which', [name]).status !== 0);
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
      for folder in /opt /run /usr/local/sbin /var/lib /var/log; do mount -t tmpfs -o mode=755 tmpfs $folder; done
      mkdir -p /opt/market-data /etc/systemd/system
      cd "$CHECKOUT"
      tar -c --exclude node_modules ${ROOMS.join(' ')} | tar -x --no-same-owner -C /opt/market-data
      cp test/support/stand-ins/* /mnt/bin
    `);
    machine.shell.stdin.write('cd /opt/market-data\n');
    return machine;
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

/** A switch, to which machines are connected by cables. */
export class Network {
  private readonly name: string;
  private readonly cables = new Map<Machine, string>();

  private constructor(name: string) {
    this.name = name;
  }

  static start(name: string): Network {
    run('ip', 'netns', 'add', name);
    run('ip', '-n', name, 'link', 'add', 'switch', 'type', 'bridge');
    run('ip', '-n', name, 'link', 'set', 'switch', 'up');
    return new Network(name);
  }

  /** Connects a machine, with an address of a network of 24 bits. */
  async connect(machine: Machine, address: string): Promise<void> {
    const cable = `cable${this.cables.size}`;
    run('ip', 'link', 'add', cable, 'netns', this.name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', machine.name);
    run('ip', '-n', this.name, 'link', 'set', cable, 'master', 'switch', 'up');
    this.cables.set(machine, cable);
    await machine.run(`ip link set lo up; ip addr add ${address}/24 dev eth0; ip link set eth0 up`);
  }

  /** Pulls the cable of a machine, or plugs it in again. */
  setCable(machine: Machine, state: 'up' | 'down'): void {
    run('ip', '-n', this.name, 'link', 'set', this.cables.get(machine) ?? '', state);
  }

  stop(): void {
    run('ip', 'netns', 'del', this.name);
  }
}
