import { describe, expect, it } from 'vitest';
import { parseCommit } from '../../../src/engine/objects/commit-object.ts';

const SHA = 'c'.repeat(40);
const TREE = 'a'.repeat(40);
const PARENT = 'b'.repeat(40);

const commitOf = (headers: string[], message: string | null): Buffer =>
  Buffer.from(message === null ? headers.join('\n') : `${headers.join('\n')}\n\n${message}`, 'latin1');

describe('a commit object', () => {
  it('has its names, persons and message, with the lines of a signature left aside', () => {
    const bytes = commitOf(
      [
        `tree ${TREE}`,
        `parent ${PARENT}`,
        `parent ${SHA}`,
        'author A B <a@x> 1700000000 +0230',
        'committer C <c@x> 1700000001 -0100',
        'gpgsig first',
        ' parent of nothing',
      ],
      'Title\n\nBody\n\n',
    );
    const commit = parseCommit(SHA, bytes);
    expect(commit.sha).toBe(SHA);
    expect(commit.tree).toBe(TREE);
    expect(commit.parents).toEqual([PARENT, SHA]);
    expect(commit.author).toEqual({ name: 'A B', email: 'a@x', at: 1700000000, zone: 150 });
    expect(commit.committer).toEqual({ name: 'C', email: 'c@x', at: 1700000001, zone: -60 });
    expect(commit.message).toBe('Title\n\nBody');
  });

  it('is decoded as its encoding says', () => {
    const headers = [
      `tree ${TREE}`,
      'author J\xfcrgen <j@x> 1 +0000',
      'committer J <j@x> 1 +0000',
      'encoding iso-8859-1',
    ];
    const commit = parseCommit(SHA, commitOf(headers, 'gr\xfcn'));
    expect(commit.author.name).toBe('Jürgen');
    expect(commit.message).toBe('grün');
  });

  it('has empty fields where headers are broken', () => {
    const commit = parseCommit(SHA, commitOf(['nonsense', 'author somebody'], null));
    expect(commit).toMatchObject({ tree: '', parents: [], message: '' });
    expect(commit.author).toEqual({ name: 'somebody', email: '', at: 0, zone: 0 });
    expect(commit.committer).toEqual({ name: '', email: '', at: 0, zone: 0 });
  });
});
