// Runs short git commands from a small shell that is started once. A process is started by copying the
// one that asks for it: from a service that holds hundreds of megabytes this takes longer than the command
// itself. (The global `crypto` is loaded when it is first used: many threads never start a shell.)
import { GitError, type GitRepository, gitArguments, type ShellProcess, spawnShell } from './run-git.ts';

/** Longer input goes to a git process of its own. */
const INPUT_BYTES = 32_768;

interface Command {
  readonly repository: GitRepository;
  readonly args: readonly string[];
  readonly input: string;
  readonly push: (chunk: Buffer) => void;
}

/** One for each environment; each thread has its own. */
const shells = new Map<string, GitShell>();

/** Starts the shell now, while this process is still small. */
export function openGitShell({ environment }: GitRepository): void {
  shellFor(environment);
}

/** Ends the shells of this thread. A thread that ends with a shell of its own leaves that behind as a zombie. */
export async function closeGitShells(): Promise<void> {
  const open = [...shells.values()];
  shells.clear();
  await Promise.all(open.map((shell) => shell.close()));
}

/** Runs the command to its end; false when it was not run and needs a process of its own. */
export async function runInShell(command: Command): Promise<boolean> {
  if (command.input.length > INPUT_BYTES) return false;
  return shellFor(command.repository.environment).run(command);
}

function shellFor(environment: GitRepository['environment']): GitShell {
  const key = JSON.stringify(environment);
  let shell = shells.get(key);
  if (shell === undefined || shell.isBroken) {
    shell = new GitShell(environment);
    shells.set(key, shell);
  }
  return shell;
}

/** Nothing within single quotes means anything to a shell but their end. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

class GitShell {
  /** Printed behind each answer with git's exit code: nobody can put it into a file beforehand. */
  readonly #mark = `# end ${crypto.randomUUID()} `;
  readonly #markBytes = this.#mark.length + '255\n'.length;
  readonly #process: ShellProcess;
  readonly #chunks: AsyncIterator<Buffer>;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  isBroken = false;

  constructor(environment: GitRepository['environment']) {
    this.#process = spawnShell(environment);
    this.#chunks = (this.#process.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const noteEnd = () => {
      this.isBroken = true;
    };
    this.#process.done.then(noteEnd, noteEnd);
  }

  /** One command at a time. */
  run(command: Command): Promise<boolean> {
    const answer = this.#last.then(() => this.#run(command));
    this.#waiting++;
    this.#process.keepAlive(true);
    const settled = () => {
      if (--this.#waiting === 0) this.#process.keepAlive(false);
    };
    this.#last = answer.then(settled, settled);
    return answer;
  }

  async close(): Promise<void> {
    await this.#last;
    this.isBroken = true;
    this.#process.keepAlive(true);
    this.#process.stdin.end();
    this.#process.stdout.resume();
    await this.#process.done.catch(() => {});
  }

  async #run({ repository, args, input, push }: Command): Promise<boolean> {
    if (this.isBroken) return false;
    const git = ['git', ...gitArguments(repository.gitDir, args)].map(quoted).join(' ');
    this.#process.stdin.write(`printf %s ${quoted(input)} | ${git}; printf '%s%d\\n' ${quoted(this.#mark)} $?\n`);
    let held = Buffer.alloc(0);
    for (;;) {
      const { value, done } = await this.#chunks.next();
      if (done === true) {
        this.isBroken = true;
        throw new GitError(args[0] ?? '', null, 'the shell ended');
      }
      const bytes: Buffer = held.length === 0 ? value : Buffer.concat([held, value]);
      const tail = bytes.subarray(Math.max(0, bytes.length - this.#markBytes));
      const at = tail.lastIndexOf(this.#mark);
      if (at !== -1 && tail.at(-1) === 10) {
        push(bytes.subarray(0, bytes.length - tail.length + at));
        const code = Number(tail.toString('latin1', at + this.#mark.length));
        if (code !== 0) throw new GitError(args[0] ?? '', code, this.#process.takeErrors());
        return true;
      }
      push(bytes.subarray(0, bytes.length - tail.length));
      held = Buffer.from(tail);
    }
  }
}
