// Candidates for the copy linker straight from git's own patch output: an independent, simple reading that
// lets the linker be tried on any repository, with every line of three or more letters as significant.
import { execFileSync } from 'node:child_process';
import type { CopyCandidate } from '../../../src/engine/copies/linked-commit.ts';
import { hashText } from '../../../src/engine/copies/min-hash.ts';
import { parseTrailers } from '../../../src/engine/evidence/trailers.ts';
import { readCoAuthors } from '../../../src/engine/identity/co-authors.ts';
import { identityKey } from '../../../src/engine/identity/read-identity.ts';
import { isolatedGitEnvironment } from '../../world/golden-repo.ts';
import { minHashOf } from './min-hash-of.ts';
import { patchIdentity } from './patch-identity.ts';

const FORMAT = '--format=%x01%H%x02%P%x02%an%x02%ae%x02%at%x02%ct%x02%B%x03';

export function readCandidates(
  path: string,
  defaultRef = 'HEAD',
  revisions: readonly string[] = ['--branches'],
): CopyCandidate[] {
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-C', path, ...args], { env: isolatedGitEnvironment(), maxBuffer: 2 ** 31 - 1 });
  const onDefault = new Set(git('rev-list', defaultRef).toString().split('\n'));
  const log = git('log', '-p', '-U0', '--no-renames', '--no-ext-diff', '--no-textconv', FORMAT, ...revisions).toString(
    'latin1',
  );
  return log
    .split('\x01')
    .slice(1)
    .map((record) => readCandidate(record, onDefault));
}

function readCandidate(record: string, onDefault: ReadonlySet<string>): CopyCandidate {
  const end = record.indexOf('\x03');
  const [sha = '', parents = '', name = '', email = '', authored = '', committed = '', message = ''] = record
    .slice(0, end)
    .split('\x02');
  const files: { path: string; removed: number[]; added: number[] }[] = [];
  const significant: number[] = [];
  for (const line of record.slice(end + 1).split('\n')) {
    if (line.startsWith('diff --git '))
      files.push({ path: line.slice(line.indexOf(' b/') + 3), removed: [], added: [] });
    const file = files.at(-1);
    if (file === undefined || /^(?:--- |\+\+\+ )/.test(line) || !/^[+-]/.test(line)) continue;
    const text = line.slice(1).replace(/\s+/g, '');
    const isAdded = line.startsWith('+');
    (isAdded ? file.added : file.removed).push(hashText(text));
    if (/[a-z0-9].*[a-z0-9].*[a-z0-9]/i.test(text))
      significant.push(((hashText(`${file.path}\0${text}`) & ~1) | Number(isAdded)) >>> 0);
  }
  const author = { name, email };
  return {
    sha,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    isOnDefaultBranch: onDefault.has(sha),
    author: identityKey(author),
    coAuthors: readCoAuthors(parseTrailers(message), author).map(identityKey),
    authoredAt: Number(authored),
    committedAt: Number(committed),
    message,
    patchId: patchIdentity(
      files.map((file) => ({
        path: file.path,
        removed: Uint32Array.from(file.removed),
        added: Uint32Array.from(file.added),
      })),
    ),
    minHash: minHashOf(significant),
  };
}
