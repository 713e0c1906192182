// The duplicate lines of one file in one commit, found with git and plain text: blocks of five significant lines in a row
// that stand at another place of the commit's tree too.
import { isSignificant, judgeOperations, readShow } from './operations.ts';

const BLOCK = 5;
const ink = (line: string): string => line.replace(/[\0-\x20]+/g, '');

interface Block {
  readonly path: string;
  /** The lines of the block, 0-based. */
  readonly lines: readonly number[];
  readonly text: string;
}

function blocksOf(path: string, content: string): Block[] {
  const lines = content.split('\n');
  const significant = lines.flatMap((line, i) => (isSignificant(line) ? [i] : []));
  return significant.slice(0, Math.max(0, significant.length - BLOCK + 1)).map((_, k) => {
    const block = significant.slice(k, k + BLOCK);
    return { path, lines: block, text: block.map((i) => ink(lines[i]!)).join('\n') };
  });
}

/** Added and copy/pasted lines of the file that lie in a block which stands elsewhere in the tree of the commit. */
export function countDuplicates(
  git: (...command: string[]) => string,
  sha: string,
  path: string,
  isIndexed: (path: string) => boolean,
): number {
  const own = blocksOf(path, git('show', `${sha}:${path}`));
  const texts = new Set(own.map(({ text }) => text));
  const places = new Map<string, Block[]>();
  for (const other of git('ls-tree', '-r', '--name-only', '-z', sha).split('\0')) {
    if (other === '' || !isIndexed(other)) continue;
    const content = git('show', `${sha}:${other}`);
    if (content.length > 2 << 20 || content.slice(0, 8000).includes('\0')) continue;
    for (const block of blocksOf(other, content))
      if (texts.has(block.text)) places.set(block.text, [...(places.get(block.text) ?? []), block]);
  }
  const duplicate = new Set<number>();
  for (const block of own) {
    const elsewhere = (places.get(block.text) ?? []).some(
      (other) => other.path !== path || other.lines[0]! > block.lines.at(-1)! || other.lines.at(-1)! < block.lines[0]!,
    );
    if (elsewhere) for (const line of block.lines) duplicate.add(line);
  }
  return addedLines(git, sha, path).filter((line) => duplicate.has(line)).length;
}

/** The lines of the new version that the commit added or copied, 0-based. */
function addedLines(git: (...command: string[]) => string, sha: string, path: string): number[] {
  const flags = ['show', '-U0', '--format=', '-M', '-l1000', '--no-color', '--no-ext-diff', '--text'];
  const patch = git(...flags, sha);
  const files = readShow(patch);
  judgeOperations(files);
  const starts = [...patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count]) =>
    count === '0' ? Number(start) : Number(start) - 1,
  );
  let hunk = 0;
  const found: number[] = [];
  for (const file of files)
    for (const { added } of file.hunks) {
      const start = starts[hunk++]!;
      if (file.path !== path) continue;
      added.forEach(({ operation }, i) => {
        if (operation === 'added' || operation === 'copy_pasted') found.push(start + i);
      });
    }
  return found;
}
