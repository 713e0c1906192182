// Keeps a bare copy of a repository up to date: branches, tags and notes. From an address
// it fetches; from a folder of this machine it borrows the objects and copies the refs, so that a huge
// or damaged repository costs nothing to take in. Credentials reach git by its environment only.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CloneAddress, RepoAccessError } from '../../domain/repos/source.ts';
import { areAllThere, decodeObjectFiles, encodeObjectFiles, readObjectFiles } from '../objects/object-files.ts';
import { explainGitFailure } from './explain-git-failure.ts';
import { isRepository } from './find-repositories.ts';
import { parseRemoteRefs, type Refs, readRefs, sameRefs } from './refs.ts';
import {
  endWithThisProcess,
  GitError,
  GitInterrupted,
  GitMissingError,
  type GitRepository,
  gitEnvironment,
  limited,
  NOT_FOUND_CODE,
  openRepository,
  readGit,
  startFailure,
} from './run-git.ts';

export interface MirrorOptions {
  readonly gitDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly sizeLimitBytes: number;
  /** Kept between runs, so that a host's key is trusted on first use and never changes unnoticed. */
  readonly knownHostsFile: string;
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
}

/** Names the files of objects that a fetch left, so that a mirror that has lost one is known before it is read. */
const FILE_LIST = 'strata-files';

const REFSPECS = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*', '+refs/notes/*:refs/notes/*'];

/** What the source has now. Proves that it can be read. */
export async function readSourceRefs(address: CloneAddress, options: MirrorOptions): Promise<Refs> {
  if (address.kind === 'folder') return readRefs(await openFolder(address, options));
  const { url } = address;
  const patterns = ['HEAD', ...['heads', 'tags', 'notes'].map((kind) => `refs/${kind}/*`)];
  const answer = await runRemote(address, options, ['ls-remote', '--symref', '--end-of-options', url, ...patterns]);
  return parseRemoteRefs(answer);
}

/** What git itself takes for a repository; one of which a file of objects is gone has to be made anew. */
export async function isMirrorWhole(gitDir: string): Promise<boolean> {
  if (!['HEAD', 'objects', 'refs'].every((name) => existsSync(join(gitDir, name)))) return false;
  const listed = await readFile(join(gitDir, FILE_LIST), 'utf8').catch(() => null);
  return listed === null || areAllThere(decodeObjectFiles(gitDir, listed));
}

/** Brings the mirror to `wanted`, which `readSourceRefs` gave. Returns what it has then. */
export async function updateMirror(address: CloneAddress, wanted: Refs, options: MirrorOptions): Promise<Refs> {
  const repository = await ensureMirror(options);
  const [before] = await Promise.all([
    readRefs(repository),
    address.kind === 'folder' ? borrowObjects(address, options) : null,
  ]);
  if (sameRefs(before.shas, wanted.shas) && before.head === wanted.head) return before;
  if (address.kind === 'folder') await copyRefs(repository, before, wanted);
  else {
    const flags = ['--prune', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--force', '--quiet'];
    const args = ['fetch', ...flags, '--end-of-options', address.url, ...REFSPECS];
    await withSizeLimit(address, options, (signal) => runRemote(address, { ...options, signal }, args));
    await listFiles(options.gitDir);
  }
  if (wanted.head !== null) await readGit(repository, ['symbolic-ref', 'HEAD', wanted.head]);
  return readRefs(repository);
}

export const mirrorRepository = ({ gitDir, environment }: MirrorOptions): GitRepository => ({ gitDir, environment });

/** A killed init must leave nothing half-made, so it is made next to its place and moved into place. */
async function ensureMirror(options: MirrorOptions): Promise<GitRepository> {
  const repository = mirrorRepository(options);
  if (await isMirrorWhole(options.gitDir)) {
    // A fetch that was killed leaves its lock files behind; the caller holds the lock of the whole mirror.
    await removeStaleLocks(options.gitDir);
    return repository;
  }
  const draft = `${options.gitDir}.${process.pid}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(dirname(options.gitDir), { recursive: true });
  await readGit({ ...repository, gitDir: draft }, ['init', '--quiet', '--bare', '--template=', draft]);
  await rm(options.gitDir, { recursive: true, force: true });
  await rename(draft, options.gitDir);
  return repository;
}

async function listFiles(gitDir: string): Promise<void> {
  const draft = join(gitDir, `${FILE_LIST}.new`);
  await writeFile(draft, encodeObjectFiles(await readObjectFiles(gitDir)));
  await rename(draft, join(gitDir, FILE_LIST));
}

async function removeStaleLocks(gitDir: string): Promise<void> {
  for (const name of [
    'packed-refs.lock',
    'HEAD.lock',
    'config.lock',
    'shallow.lock',
    'objects/info/commit-graph.lock',
  ]) {
    await rm(join(gitDir, name), { force: true });
  }
  const refs = await readdir(join(gitDir, 'refs'), { recursive: true }).catch(() => []);
  for (const name of refs) if (name.endsWith('.lock')) await rm(join(gitDir, 'refs', name), { force: true });
  const packs = await readdir(join(gitDir, 'objects', 'pack')).catch(() => []);
  for (const name of packs) {
    if (name.startsWith('tmp_')) await rm(join(gitDir, 'objects', 'pack', name), { force: true });
  }
}

export async function openFolder(
  address: CloneAddress & { kind: 'folder' },
  options: MirrorOptions,
): Promise<GitRepository> {
  const message = `${address.shown} is not a git repository that can be read here; check the path`;
  if (!isRepository(address.path)) throw new RepoAccessError('not_found', message);
  try {
    return await openRepository(address.path, options.environment);
  } catch (cause) {
    if (cause instanceof GitInterrupted) throw cause;
    const isGitMissing = cause instanceof GitMissingError;
    throw new RepoAccessError('not_found', isGitMissing ? cause.message : message, { cause });
  }
}

async function borrowObjects(address: CloneAddress & { kind: 'folder' }, options: MirrorOptions): Promise<void> {
  const source = await openFolder(address, options);
  const common = (await readGit(source, ['rev-parse', '--path-format=absolute', '--git-common-dir'])).toString('utf8');
  const folder = common.replace(/\n$/, '');
  const info = join(options.gitDir, 'objects', 'info');
  await mkdir(info, { recursive: true });
  await writeFile(join(info, 'alternates'), `${join(folder, 'objects')}\n`);
  const shallow = join(folder, 'shallow');
  if (existsSync(shallow)) await copyFile(shallow, join(options.gitDir, 'shallow'));
  else await rm(join(options.gitDir, 'shallow'), { force: true });
}

/** Refs whose object is gone are left out: the rest of the repository is still worth having. */
async function copyRefs(repository: GitRepository, before: Refs, wanted: Refs): Promise<void> {
  const changed = [...wanted.shas].filter(([name, sha]) => before.shas.get(name) !== sha);
  const checked = await readGit(
    repository,
    ['cat-file', '--batch-check=%(objectname) %(objecttype)'],
    changed.map(([, sha]) => `${sha}\n`).join(''),
  );
  const answers = checked.toString('utf8').split('\n');
  const branches: string[] = [];
  const tags: string[] = [];
  for (const [index, [name, sha]] of changed.entries()) {
    const type = answers[index]?.split(' ')[1];
    if (name.startsWith('refs/heads/') ? type === 'commit' : type !== undefined && type !== 'missing') {
      (name.startsWith('refs/tags/') ? tags : branches).push(`update ${name}\0${sha}\0\0`);
    }
  }
  const gone = [...before.shas.keys()].filter((name) => !wanted.shas.has(name));
  // First, and apart: where there was a branch `a`, git makes no `a/b` in the same breath.
  await updateRefs(
    repository,
    gone.map((name) => `delete ${name}\0\0`),
  );
  await updateRefs(repository, branches);
  await updateTags(repository, tags);
}

async function updateRefs(repository: GitRepository, commands: readonly string[]): Promise<void> {
  if (commands.length > 0) await readGit(repository, ['update-ref', '--stdin', '-z'], commands.join(''));
}

/** A tag that git does not take, such as one that lies about what it points at, is left out. */
async function updateTags(repository: GitRepository, commands: readonly string[]): Promise<void> {
  try {
    await updateRefs(repository, commands);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (commands.length <= 1) return;
    const half = commands.length >> 1;
    await updateTags(repository, commands.slice(0, half));
    await updateTags(repository, commands.slice(half));
  }
}

/** Environment for a git that may use the network, and nothing but the transport of this address. */
function remoteEnvironment(address: CloneAddress & { kind: 'url' }, options: MirrorOptions): Record<string, string> {
  const scheme = address.url.slice(0, address.url.indexOf(':'));
  const settings: [string, string][] = [
    ['protocol.allow', 'never'],
    [`protocol.${scheme}.allow`, 'always'],
    // A redirect could lead to an address that nobody checked.
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
    ['transfer.fsckObjects', 'false'],
    ['fetch.writeCommitGraph', 'true'],
    ['core.sshCommand', sshCommand(options.knownHostsFile)],
  ];
  if (address.pinnedHost !== null) settings.push(['http.curloptResolve', address.pinnedHost]);
  if (address.credentials !== null) {
    const { username, password } = address.credentials;
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    settings.push(['http.extraHeader', `Authorization: Basic ${basic}`]);
  }
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...gitEnvironment(options.environment),
    GIT_ALLOW_PROTOCOL: scheme,
    GIT_OPTIONAL_LOCKS: '1',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(numbered),
  };
}

/** Millions of branches and tags; a host may name them without end. */
const ANSWER_LENGTH = 256 << 20;

const sshCommand = (knownHostsFile: string): string =>
  `ssh -o BatchMode=yes -o ConnectTimeout=20 -o ClearAllForwardings=yes -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile='${knownHostsFile.replaceAll("'", '')}'`;

export async function runRemote(
  address: CloneAddress & { kind: 'url' },
  options: MirrorOptions,
  args: readonly string[],
): Promise<string> {
  const gitDir = existsSync(options.gitDir) ? [`--git-dir=${options.gitDir}`] : [];
  const closed = ['-c', 'core.hooksPath=/dev/null', '-c', 'credential.helper=', '-c', 'gc.auto=0'];
  const child = spawn(...limited('git', [...gitDir, '--no-pager', ...closed, ...args]), {
    env: remoteEnvironment(address, options),
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    // A group of its own: ssh and git's other helpers hold its output open, and must end with it.
    detached: true,
  });
  const kill = () => killGroup(child);
  endWithThisProcess(child, kill);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length > ANSWER_LENGTH) kill();
    else stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-8192);
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, options.timeoutSeconds * 1000);
  options.signal?.addEventListener('abort', kill, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      const refuse = (error: NodeJS.ErrnoException) => {
        const cause = startFailure(args[0] ?? '', error, options.environment, undefined);
        reject(
          new RepoAccessError(cause instanceof GitMissingError ? 'not_found' : 'transient', cause.message, { cause }),
        );
      };
      child.on('error', refuse);
      child.on('close', (code) => {
        if (code === NOT_FOUND_CODE) refuse(Object.assign(new Error(stderr), { code: 'ENOENT' }));
        else resolve(code);
      });
    });
    if (code === 0) return stdout;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', kill);
  }
  if (options.signal?.aborted) throw options.signal.reason;
  if (stdout.length > ANSWER_LENGTH) {
    throw new RepoAccessError('too_large', `${address.shown} names more branches and tags than can be read`);
  }
  if (isLate) {
    throw new RepoAccessError('transient', `${address.shown} took longer than ${options.timeoutSeconds} s to answer`);
  }
  throw explainGitFailure(address.shown, stderr);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // where there are no groups
  }
}

const SIZE_CHECK_MILLISECONDS = 1000;

/** Ends a fetch whose pack outgrows what the operator allows. */
async function withSizeLimit<T>(
  address: CloneAddress,
  options: MirrorOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, limit.signal]) : limit.signal;
  const check = async () => {
    if ((await mirrorBytes(options.gitDir)) <= options.sizeLimitBytes) return;
    const megabytes = Math.round(options.sizeLimitBytes / 1_000_000);
    limit.abort(
      new RepoAccessError(
        'too_large',
        `${address.shown} is larger than the ${megabytes} MB allowed for one repository; raise mirror_limit_megabytes`,
      ),
    );
  };
  const timer = setInterval(() => void check().catch(() => undefined), SIZE_CHECK_MILLISECONDS);
  try {
    const result = await run(signal);
    await check();
    limit.signal.throwIfAborted();
    return result;
  } finally {
    clearInterval(timer);
    if (limit.signal.aborted) await rm(options.gitDir, { recursive: true, force: true });
  }
}

/** Bytes of packs and loose objects, finished or not. Borrowed objects do not count. */
export async function mirrorBytes(gitDir: string): Promise<number> {
  const objects = join(gitDir, 'objects');
  let bytes = 0;
  for (const name of await readdir(objects, { recursive: true }).catch(() => [])) {
    bytes += await stat(join(objects, name)).then(
      (entry) => (entry.isFile() ? entry.size : 0),
      () => 0,
    );
  }
  return bytes;
}

export async function removeMirror(gitDir: string): Promise<void> {
  await rm(gitDir, { recursive: true, force: true });
}
