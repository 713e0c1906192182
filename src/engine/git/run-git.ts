// Starts git so that nothing the repository, its owner or this machine's user has configured can run or
// change the answer. A repository is hostile input: hooks, drivers, helpers and remotes are all closed.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { effort } from '../model/effort.ts';
import { stopIfEnding, ThreadEnding } from '../thread-end.ts';

/** Where git runs. `environment` needs a PATH on which git is found; nothing else is inherited. */
export interface GitRepository {
  readonly gitDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

export const DEFAULT_GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin',
};

/** The limit of git's rename matrix, the default that `git blame` uses too. */
export const RENAME_LIMIT = 1000;

/** Wins over whatever the calling process or the user has set. */
const CLOSED_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_NO_LAZY_FETCH: '1',
  // Names the only transports allowed; it beats a repository's own protocol.ext.allow.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
  LANGUAGE: '',
  TZ: 'UTC',
  HOME: '/nonexistent',
  // Large blocks go back to the system when they are freed, as glibc has it until the first such block is: from then on it
  // keeps them, and ten processes hold a third more than they need.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** Command-line configuration beats the repository's own file. */
const CLOSED_CONFIG: readonly string[] = [
  'core.bare=true',
  // Larger files are shown as binary.
  'core.bigFileThreshold=512m',
  // Processes that wait keep what they have unpacked: 96 MB each unless said. A history takes no longer with less.
  'core.deltaBaseCacheLimit=12m',
  // They map a pack as a whole, and all that they have read of it stays in memory until they end.
  'core.packedGitWindowSize=1m',
  'core.packedGitLimit=8m',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  // The empty tree: without a value git 2.43 to 2.45 heed the attributes of a bare repository's HEAD.
  'attr.tree=4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'core.pager=cat',
  'core.sshCommand=/bin/false',
  'core.askPass=/bin/false',
  'core.alternateRefsCommand=/bin/false',
  'core.quotePath=false',
  'core.commitGraph=true',
  'core.warnAmbiguousRefs=false',
  'credential.helper=',
  'protocol.allow=never',
  'safe.directory=*',
  'gc.auto=0',
  // Git would say so in every message, because of the file that there is not.
  'advice.graftFileDeprecated=false',
  'color.ui=false',
  'i18n.logOutputEncoding=UTF-8',
  'log.showSignature=false',
  'log.showRoot=true',
  'log.follow=false',
  'log.decorate=false',
  'log.diffMerges=separate',
  'blame.ignoreRevsFile=',
  'diff.algorithm=myers',
  'diff.colorMoved=no',
  'diff.indentHeuristic=true',
  'diff.interHunkContext=0',
  'diff.mnemonicPrefix=false',
  'diff.noprefix=false',
  'diff.orderFile=/dev/null',
  'diff.relative=false',
  'diff.renameLimit=1000',
  'diff.renames=true',
  'diff.submodule=short',
  'diff.suppressBlankEmpty=false',
  'mailmap.file=/dev/null',
];

/** Git ended with an error. `stderr` is its own message, shortened. */
export class GitError extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(command: string, exitCode: number | null, stderr: string) {
    super(`git ${command} failed (${exitCode ?? 'killed'}): ${stderr.trim() || 'no message'}`);
    this.name = 'GitError';
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/**
 * Git was killed, could not be started, or ran into the limits of the machine: that says nothing about the repository, so
 * whoever takes a GitError for a missing object must let this one pass.
 */
export class GitInterrupted extends Error {
  constructor(command: string, reason: string) {
    super(`git ${command} was interrupted: ${reason.trim()}`);
    this.name = 'GitInterrupted';
  }
}

/** What git says of the machine, or of a repository that is gone, in the words of the C locale. */
const MACHINE_TROUBLE =
  /Too many open files|No space left on device|Input\/output error|Permission denied|Resource temporarily unavailable|Stale file handle|unable to create thread|cannot (?:fork|create (?:async )?(?:thread|process))|not a git repository/i;

/** For answers that may be lacking: the value where there is none, but not where git was interrupted. */
export function orElse<T>(value: T): (error: unknown) => T {
  return (error) => {
    if ([GitInterrupted, GitMissingError, ThreadEnding].some((kind) => error instanceof kind)) throw error;
    return value;
  };
}

/** There is no git to start. Apart from GitError, because it says nothing about the repository. */
export class GitMissingError extends Error {
  constructor(environment: Readonly<Record<string, string>>) {
    super(`git was not found on the PATH (${environment.PATH ?? 'which is empty'}); install git`);
    this.name = 'GitMissingError';
  }
}

/** What it means that git could not be started in a folder. */
export function startFailure(
  command: string,
  error: NodeJS.ErrnoException,
  environment: Readonly<Record<string, string>>,
  folder: string | undefined,
): Error {
  // Arguments that are too long are the repository's: its paths.
  if (error.code === 'E2BIG') return new GitError(command, null, error.message);
  if (error.code !== 'ENOENT') return new GitInterrupted(command, error.message);
  // Node says the same of a folder that does not exist.
  if (folder !== undefined && !existsSync(folder)) return new GitError(command, null, `there is no folder ${folder}`);
  return new GitMissingError(environment);
}

export interface GitProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when git ended well; rejects with a GitError when git says what is wrong, else with a GitInterrupted. */
  readonly done: Promise<void>;
  kill(): void;
}

const STDERR_KEPT = 4096;

/**
 * Kilobytes that one git may take for itself, what it maps of packs not counted: a repository of a few kilobytes can
 * make it ask for more than the machine has. It then ends with an error, like one that misses an object.
 */
const GIT_MEMORY_KILOBYTES = Math.floor(Math.max(2 ** 30, memoryOfMachine() / 8) / 1024);

function memoryOfMachine(): number {
  const allowed = process.constrainedMemory();
  return allowed !== undefined && allowed > 0 ? Math.min(totalmem(), allowed) : totalmem();
}

/**
 * A fixed script: what is to be run comes as its arguments, which no shell reads as text. Where there is no such limit,
 * git runs without.
 */
const RUN_LIMITED = `ulimit -S -d ${GIT_MEMORY_KILOBYTES} 2>/dev/null; exec "$0" "$@"`;

/** How a program is started with these arguments so that it keeps to the limit. Windows has no such shell. */
export const limited = (program: string, args: readonly string[]): [string, string[]] =>
  process.platform === 'win32' ? [program, [...args]] : ['/bin/sh', ['-c', RUN_LIMITED, program, ...args]];

/** What a shell answers with that has not found the program. */
export const NOT_FOUND_CODE = 127;

export function gitEnvironment(base: Readonly<Record<string, string>>): Record<string, string> {
  return { ...base, ...CLOSED_ENVIRONMENT };
}

export function gitArguments(gitDir: string | null, args: readonly string[]): string[] {
  const config = CLOSED_CONFIG.flatMap((setting) => ['-c', setting]);
  return [...(gitDir === null ? [] : [`--git-dir=${gitDir}`]), '--no-pager', ...config, ...args];
}

export function spawnGit(repository: GitRepository, args: readonly string[]): GitProcess {
  return start(args[0] ?? '', repository.environment, gitArguments(repository.gitDir, args), undefined);
}

function start(
  command: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  folder: string | undefined,
): GitProcess {
  // Nobody would end it.
  stopIfEnding();
  effort.gitProcesses++;
  const child = spawn(...limited('git', args), {
    env: gitEnvironment(environment),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  return follow(command, child, {
    ofStart: (error) => startFailure(command, error, environment, folder),
    // Where a repository is only looked for, that there is none is an answer.
    ofEnd: (code, stderr) =>
      folder === undefined && MACHINE_TROUBLE.test(stderr)
        ? new GitInterrupted(command, stderr)
        : new GitError(command, code, stderr),
  });
}

const kills = new Set<() => void>();
/** For a thread that ends, too: it ends when its processes have. */
export const killAll = (): void => {
  for (const kill of kills) kill();
};

/** Git ends with the process that started it, also when that is ended while git hangs. */
export function endWithThisProcess(child: ChildProcess, kill: () => void): void {
  if (kills.size === 0) process.once('exit', killAll);
  kills.add(kill);
  const forget = (): void => {
    kills.delete(kill);
    if (kills.size === 0) process.off('exit', killAll);
  };
  child.once('exit', forget);
  child.once('error', forget);
}

function follow(
  command: string,
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  failure: { ofStart(error: Error): Error; ofEnd(code: number, stderr: string): Error },
): GitProcess {
  const kill = () => void child.kill('SIGKILL');
  endWithThisProcess(child, kill);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < STDERR_KEPT) stderr += chunk.toString('utf8');
  });
  // Git may end before it has read all of its input; the exit code tells what happened.
  child.stdin.on('error', () => {});
  const done = new Promise<void>((resolve, reject) => {
    child.on('error', (error) => reject(failure.ofStart(error)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else if (code === null) reject(new GitInterrupted(command, `it was ended by ${signal ?? 'a signal'}`));
      else if (code === NOT_FOUND_CODE) reject(failure.ofStart(Object.assign(new Error(stderr), { code: 'ENOENT' })));
      else reject(failure.ofEnd(code, stderr));
    });
  });
  done.catch(() => {}); // observed by whoever awaits `done`; must not count as unhandled before that
  return { pid: child.pid, stdin: child.stdin, stdout: child.stdout, done, kill };
}

/** Runs git to its end and returns all it printed; an answer of more than `mostBytes` is an error. */
export async function readGit(
  repository: GitRepository,
  args: readonly string[],
  input = '',
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  return collect(args[0] ?? '', spawnGit(repository, args), input, mostBytes);
}

async function collect(command: string, git: GitProcess, input: string, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  git.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= mostBytes) parts.push(chunk);
    else git.kill();
  });
  git.stdin.end(input);
  try {
    await git.done;
  } catch (error) {
    throw bytes > mostBytes ? new GitError(command, null, `its answer is longer than ${mostBytes} bytes`) : error;
  }
  return Buffer.concat(parts);
}

const PATH_BYTES = 65_536;

/** Finds the git directory of a bare repository, a checkout or a linked worktree. */
export async function openRepository(
  path: string,
  environment: Readonly<Record<string, string>> = DEFAULT_GIT_ENVIRONMENT,
): Promise<GitRepository> {
  // Discovery must not be told that the repository is bare, or a checkout would not be found.
  const args = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', 'rev-parse', '--absolute-git-dir'];
  const answer = await collect('rev-parse', start('rev-parse', environment, args, path), '', PATH_BYTES);
  return { gitDir: answer.toString('utf8').replace(/\n$/, ''), environment };
}
