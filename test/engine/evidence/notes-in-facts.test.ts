import { afterAll, expect, test } from 'vitest';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import type { CommitFact } from '../../../src/engine/model/facts.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const line = (word: string) => `const ${word} = computeTheValueOf(${word}Input);\n`;
const METADATA = JSON.stringify({
  schema_version: 'authorship/3.0.0',
  base_commit_sha: '',
  prompts: {},
  sessions: { s_0123456789abcd: { agent_id: { tool: 'claude', id: 'x', model: 'claude-opus-4-6' } } },
});
const note = (attestation: string): string => `${attestation}---\n${METADATA}`;

const repo = goldenRepo()
  .commit('base', { files: { 'a.ts': ['one', 'two', 'three'].map(line).join('') } })
  .commit('noted', {
    files: { 'a.ts': ['one', 'fresh', 'two', 'three', 'last', 'final'].map(line).join(''), 'b c.ts': line('human') },
  })
  .note('ai', 'noted', note('a.ts\n  s_0123456789abcd::t_aaaaaaaaaaaaaa 6,2\n"b c.ts"\n  h_0123456789abcd 1\n'))
  .commit('both', {
    files: { 'd.ts': line('exact') + line('other') },
    message: 'Add d\n\nCo-Authored-By: Claude Opus 4.6 <noreply@anthropic.com>\n',
  })
  .note('ai', 'both', note('d.ts\n  s_0123456789abcd 1\n'))
  .commit('broken', { files: { 'e.ts': line('plain') } })
  .note('ai', 'broken', 'not a note at all')
  .commit('rewrite', { files: { 'a.ts': line('one') } })
  .build();
afterAll(() => repo.cleanup());

async function facts(): Promise<Map<string, CommitFact>> {
  const found = new Map<string, CommitFact>();
  for await (const event of analyzeRepository(await openRepository(repo.path), { since: null, threads: 1 })) {
    if (event.kind === 'commit') found.set(repo.label(event.fact.sha), event.fact);
    if (event.kind !== 'final') continue;
    const before = found.get(repo.label(event.sha))!;
    found.set(repo.label(event.sha), { ...before, files: event.files, flows: event.flows, is_final: true });
  }
  return found;
}

test('the lines that a note credits to AI are credited, and only they', async () => {
  const noted = (await facts()).get('noted')!;
  expect(noted.contributor_kind).toBe('mixed');
  expect(noted.ai).toEqual([{ model: 'claude-opus-4.6', provider: 'vendorC_platform', source: 'note' }]);
  expect(noted.files.map(({ path, added, ai_lines_changed }) => [path, added, ai_lines_changed])).toEqual([
    ['a.ts', 3, 2000],
    ['b c.ts', 1, 0],
  ]);
});

test('exact records decide alone: the message adds nothing to them', async () => {
  const both = (await facts()).get('both')!;
  expect(both.files[0]).toMatchObject({ added: 2, ai_lines_changed: 1000 });
  expect(both.ai).toEqual([{ model: 'claude-opus-4.6', provider: 'vendorC_platform', source: 'note' }]);
});

test('a note that makes no sense is as good as none', async () => {
  const broken = (await facts()).get('broken')!;
  expect(broken).toMatchObject({ contributor_kind: 'unknown', ai: [] });
});

test('lines removed later carry the share of exactly those lines', async () => {
  const rewrite = (await facts()).get('rewrite')!;
  const flow = rewrite.flows.find(({ origin }) => origin === repo.sha('noted'))!;
  expect(flow).toMatchObject({ lines_deleted: 3, ai_lines: 2000 });
});

test('packed notes say what loose ones say, and one that makes no sense is told as such', async () => {
  const loose = await facts();
  repo.git('repack', '-q', '-ad');
  expect(repo.git('count-objects')).toMatch(/^0 objects/);
  expect(await facts()).toEqual(loose);
  expect(loose.get('broken')!.limits).toEqual([{ reason: 'record_unreadable', path: null }]);
  expect(loose.get('noted')!.limits).toEqual([]);
});
