// Writes the commits of pull requests into a git repository: merged ones as they landed (merge, squash, or the commits as
// they are), open ones on their branches, some commits that nobody reviewed, and a tag a month.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Person, Pull } from './company.ts';
import type { TrackedIssue } from './tracker-company.ts';

export interface WrittenCommit {
  sha: string;
  readonly by: Person;
  /** Of the author. */
  readonly at: string;
  readonly committedAt: string;
  /** On the main branch by itself, without a second parent. */
  readonly isLanded: boolean;
  readonly isMerge: boolean;
  /** The commit of a pull request that it is. */
  readonly of: { readonly number: number; readonly index: number } | null;
  /** The pull request that it was squashed from. */
  readonly squashOf: number | null;
  /** The pull request whose lines it changes, without one of its own. */
  readonly mends: number | null;
  /** The bug that it mends so, and names. */
  readonly bug: TrackedIssue | null;
  /** Place on the main branch, from 0, at which it became part of it; null for what never did. */
  readonly place: number | null;
}

export interface WrittenTag {
  readonly name: string;
  readonly at: string;
  /** The last place on the main branch that it holds. */
  readonly place: number;
}

export interface WrittenHistory {
  readonly folder: string;
  readonly commits: readonly WrittenCommit[];
  readonly tags: readonly WrittenTag[];
  /** Number of a pull request → the commit that it landed as. */
  readonly landings: ReadonlyMap<number, string>;
}

const DAY_MS = 86_400_000;
/** One in so many merged pull requests is mended by a commit on the main branch. */
const MENDED = 9;

export interface Words {
  /** The beginning of the messages of a pull request's commits. */
  message(pull: Pull): string;
  other(than: Person): Person;
  /** The bug that a commit without a pull request mends; null for none. */
  mended(): TrackedIssue | null;
  key(issue: TrackedIssue): string;
}

export function writeHistory(pulls: readonly Pull[], { message, other, mended, key }: Words): WrittenHistory {
  const folder = mkdtempSync(join(tmpdir(), 'strata-works-'));
  const lines: string[] = [];
  const commits: WrittenCommit[] = [];
  const landings = new Map<number, number>();
  const tags: WrittenTag[] = [];
  let place = -1;
  let tip: number | null = null;

  const stamp = ({ name, email }: Person, at: string) => `${name} <${email}> ${Date.parse(at) / 1000} +0000`;
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}`;
  const write = (
    commit: Omit<WrittenCommit, 'sha'>,
    {
      ref,
      parents,
      text,
      files,
    }: { ref: string; parents: readonly number[]; text: string; files: Readonly<Record<string, string>> },
  ): number => {
    commits.push({ ...commit, sha: '' });
    const [first, ...rest] = parents;
    lines.push(
      `commit ${ref}`,
      `mark :${commits.length}`,
      `author ${stamp(commit.by, commit.at)}`,
      `committer ${stamp(commit.by, commit.committedAt)}`,
      data(text),
      ...(first === undefined ? [] : [`from :${first}`]),
      ...rest.map((parent) => `merge :${parent}`),
      ...Object.entries(files).flatMap(([path, body]) => [`M 100644 inline ${path}`, data(body)]),
    );
    return commits.length;
  };
  const plain = { isLanded: false, isMerge: false, of: null, squashOf: null, mends: null, bug: null, place: null };
  const fileOf = (number: number, index: number) => `src/p${number}/c${index}.ts`;
  /** No line is like another, so that none counts as moved or copied. */
  const bodyOf = (number: number, index: number, word = 'value') =>
    Array.from({ length: 1 + ((number * 7 + index * 3) % 6) }, (_, line) => {
      const name = `${line === 0 ? word : 'value'}_${number}_${index}_${line}`;
      return `export const ${name} = compute${(number * 31 + index * 17 + line * 7) % 9973}("${name}", ${number * 1000 + index * 10 + line});\n`;
    }).join('');

  const writeOwn = (pull: Pull, ref: string, from: number, landsAt: number | null, isLanded: boolean): number => {
    let last = from;
    for (const [index, { by, at }] of pull.commits.entries()) {
      last = write(
        {
          ...plain,
          by,
          at,
          committedAt: at,
          isLanded,
          of: { number: pull.number, index },
          place: landsAt === null ? null : isLanded ? landsAt + index : landsAt,
        },
        {
          ref,
          parents: [last],
          text: `${message(pull)} Step ${index} of ${pull.number}\n`,
          files: { [fileOf(pull.number, index)]: bodyOf(pull.number, index) },
        },
      );
    }
    return last;
  };

  const land = (pull: Pull): void => {
    const at = pull.mergedAt!;
    const merger = pull.mergedBy!;
    const files = Object.fromEntries(
      pull.commits.map((_, index) => [fileOf(pull.number, index), bodyOf(pull.number, index)]),
    );
    if (pull.mergeMethod === 'squash') {
      place += 1;
      tip = write(
        { ...plain, by: pull.commits[0]!.by, at, committedAt: at, isLanded: true, squashOf: pull.number, place },
        { ref: 'refs/heads/main', parents: [tip!], text: `${message(pull)} Change ${pull.number}\n`, files },
      );
    } else if (pull.mergeMethod === 'rebase') {
      tip = writeOwn(pull, 'refs/heads/main', tip!, place + 1, true);
      place += pull.commits.length;
    } else {
      place += 1;
      const last = writeOwn(pull, 'refs/heads/side', tip!, place, false);
      tip = write(
        { ...plain, by: merger, at, committedAt: at, isLanded: true, isMerge: true, place },
        { ref: 'refs/heads/main', parents: [tip!, last], text: `Merge pull request ${pull.number}\n`, files },
      );
    }
    landings.set(pull.number, tip);
  };

  const mend = (pull: Pull, at: string): void => {
    place += 1;
    const bug = mended();
    tip = write(
      { ...plain, by: other(pull.commits[0]!.by), at, committedAt: at, isLanded: true, mends: pull.number, bug, place },
      {
        ref: 'refs/heads/main',
        parents: [tip!],
        text: `${bug === null ? '' : `${key(bug)} `}Put it right\n`,
        files: { [fileOf(pull.number, 0)]: bodyOf(pull.number, 0, 'mended') },
      },
    );
  };

  const tag = (at: string): void => {
    const name = `v1.${tags.length}.0`;
    tags.push({ name, at, place });
    lines.push(`tag ${name}`, `from :${tip}`, `tagger ${stamp(pulls[0]!.commits[0]!.by, at)}`, data('A release\n'));
  };

  const merged = pulls.filter(({ mergedAt }) => mergedAt !== null);
  const happenings: { at: string; run: (at: string) => void }[] = merged.map((pull) => ({
    at: pull.mergedAt!,
    run: () => land(pull),
  }));
  for (const [index, pull] of merged.entries()) {
    if (index % MENDED !== 0) continue;
    // Within the month after which nobody thinks of the review, or long after it.
    const days = index % (2 * MENDED) === 0 ? 2 : 40;
    const at = new Date(Date.parse(pull.mergedAt!) + days * DAY_MS).toISOString();
    happenings.push({ at, run: () => mend(pull, at) });
  }
  const firstMs = Math.min(...pulls.flatMap((pull) => pull.commits.map(({ at }) => Date.parse(at))));
  for (let month = new Date(firstMs); month.getTime() < Date.parse('2026-11-01T00:00:00Z'); ) {
    month = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 3, 12));
    happenings.push({ at: month.toISOString(), run: tag });
  }
  const until = '2026-11-09T00:00:00.000Z';
  place += 1;
  const founder = pulls[0]!.commits[0]!.by;
  const foundedAt = new Date(firstMs - DAY_MS).toISOString();
  tip = write(
    { ...plain, by: founder, at: foundedAt, committedAt: foundedAt, isLanded: true, place },
    { ref: 'refs/heads/main', parents: [], text: 'Begin\n', files: { 'README.md': 'Works\n' } },
  );
  const root = tip;
  for (const { at, run } of happenings.sort((a, b) => (a.at < b.at ? -1 : 1))) if (at < until) run(at);
  for (const pull of pulls) if (pull.closedAt === null) writeOwn(pull, `refs/heads/${pull.branch}`, root, null, false);

  const git = (args: readonly string[], input?: string) =>
    execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  git(['init', '--quiet', '--bare', '--initial-branch=main']);
  const marks = join(folder, 'marks');
  git(['fast-import', '--quiet', '--force', `--export-marks=${marks}`], `${lines.join('\n')}\n`);
  git(['update-ref', '-d', 'refs/heads/side']);
  for (const line of readFileSync(marks, 'utf8').trim().split('\n')) {
    const [mark, sha] = line.split(' ');
    commits[Number(mark!.slice(1)) - 1]!.sha = sha!;
  }
  return {
    folder,
    commits,
    tags,
    landings: new Map([...landings].map(([number, mark]) => [number, commits[mark - 1]!.sha])),
  };
}
