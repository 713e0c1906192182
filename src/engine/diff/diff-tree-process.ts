// A `git diff-tree --stdin` that lives through many requests, so that its caches stay warm and the service,
// whose memory is large, is not forked for each. Git echoes a line that names no object, and flushes: such
// a line marks the end of each answer.
import { randomWord } from '../../kit/text/random-word.ts';
import { type GitProcess, type GitRepository, spawnGit } from '../git/run-git.ts';

/**
 * Begins with a byte that no line of git's output begins with outside a hunk, but one that somebody may have put into the header of a
 * commit: the rest of it nobody can know before.
 */
export const END_MARK = `# end ${randomWord()}`;
const MARK_LINE = `${END_MARK}\n`;
/** Git keeps what it has parsed of each commit: a fresh process is cheaper than an old one. */
const COMMITS_PER_PROCESS = 3000;

export class DiffTreeProcess {
  readonly #repository: GitRepository;
  readonly #args: readonly string[];
  #git: GitProcess | null = null;
  #chunks: AsyncIterator<Buffer> | null = null;
  #requested = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(repository: GitRepository, args: readonly string[]) {
    this.#repository = repository;
    this.#args = args;
  }

  /**
   * Sends the lines and hands over what git prints, as it comes, until `push` says that it has seen the end
   * mark. Throws a GitError when git ends before; the next request starts another git. Requests wait for one another.
   */
  request(lines: readonly string[], push: (chunk: Buffer) => boolean | Promise<boolean>): Promise<void> {
    const answered = this.#last.then(() => this.#run(lines, push));
    this.#last = answered.catch(() => {});
    return answered;
  }

  async #run(lines: readonly string[], push: (chunk: Buffer) => boolean | Promise<boolean>): Promise<void> {
    if (this.#requested >= COMMITS_PER_PROCESS) await this.close();
    this.#git ??= spawnGit(this.#repository, this.#args);
    this.#chunks ??= (this.#git.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const git = this.#git;
    // Its own, also when it is closed meanwhile: git has not ended before all that it wrote is read.
    const chunks = this.#chunks;
    this.#requested += lines.length;
    git.stdin.write(`${lines.join('\n')}\n${MARK_LINE}`);
    try {
      for (;;) {
        const { value, done } = await chunks.next();
        if (done === true) {
          await git.done;
          throw new Error('git diff-tree ended before its input did');
        }
        if (await push(value)) return;
      }
    } catch (error) {
      git.kill();
      if (this.#git === git) this.#forget();
      throw error;
    }
  }

  /** Resolves when git has ended. */
  async close(): Promise<void> {
    const git = this.#git;
    if (git === null) return;
    this.#forget();
    git.kill();
    await git.done.catch(() => {});
  }

  #forget(): void {
    this.#git = null;
    this.#chunks = null;
    this.#requested = 0;
  }
}
