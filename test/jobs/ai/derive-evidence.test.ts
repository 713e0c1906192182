// Evidence that does not stand in the commit: what providers and tools claim, and what the commits that a squash was made
// of bear. Facts, flows and daily sums follow it, and go back when it is gone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deriveEvidence } from '../../../src/jobs/ai/derive-evidence.ts';
import { rebuildRollups } from '../../../src/storage/commits/rollups.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { contentOf, createImportKit, type ImportKit } from '../import/import-kit.ts';

const NOW = new Date('2024-06-01T00:00:00Z');
const lines = (word: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `const ${word}${n} = computeTheValueOf('${word} number ${n}');\n`).join('');
const note = `src/a.ts\n  s_0123456789abcd::t_01 1-4\n---\n${JSON.stringify({
  schema_version: 'authorship/3.0.0',
  sessions: { s_0123456789abcd: { agent_id: { tool: 'claude', id: 'x', model: 'claude-opus-4-5' } } },
  prompts: {},
})}`;

const repo = goldenRepo()
  .commit('base', { files: { 'README.md': 'Words.\n' } })
  .branch('topic')
  .commit('t1', { files: { 'src/a.ts': lines('alpha', 8) } })
  .commit('t2', { files: { 'src/b.ts': lines('beta', 4) } })
  .switch('main')
  .commit('squash', {
    files: { 'src/a.ts': lines('alpha', 8), 'src/b.ts': lines('beta', 4) },
    message: 'Feature (#1)\n',
  })
  .branch('second')
  .commit('u1', { files: { 'src/c.ts': lines('gamma', 6) } })
  .commit('u2', { files: { 'src/d.ts': lines('delta', 6) } })
  .switch('main')
  .commit('squash2', {
    files: { 'src/c.ts': lines('gamma', 6), 'src/d.ts': lines('delta', 6) },
    message: 'More (#2)\n',
  })
  .commit('plain', { files: { 'src/e.ts': lines('epsilon', 10) } })
  .commit('marked', {
    files: { 'src/f.ts': lines('phi', 10) },
    message: 'marked\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n',
  })
  .commit('later', { files: { 'src/e.ts': lines('epsilon', 8) } })
  .commit('checkpoint', {
    files: { 'src/g.ts': lines('chi', 3) },
    message: 'checkpoint\n\nEntire-Checkpoint: 0123456789ab\n',
  })
  .note('ai', 't1', note)
  .build();
afterAll(() => repo.cleanup());

let kit: ImportKit;
let repoId: number;

const derive = (scope: { repoId: number } | 'claims') =>
  kit.store.db.transaction().execute((trx) => deriveEvidence(trx, kit.entityId, scope, NOW));
const claim = (label: string, source: string, counts: { ai?: number; all?: number } = {}, tool = 'cursor') =>
  kit.query(
    `insert into ai_commit_claims (entity_id, sha, source_em, ai_provider_em, tool_em, llm_model_name, ai_lines, all_lines, claimed_at)
     values ($1, $2, $3, 'vendorB_editor', $6, '', $4, $5, now())`,
    [kit.entityId, repo.sha(label), source, counts.ai ?? null, counts.all ?? null, tool],
  );
const evidenceOf = async (label: string) => {
  const rows = await kit.query<{ source: string; model: string; kind: string; lines: number | null }>(
    `select a.source::text as source, a.model, c.contributor_kind as kind, c.ai_lines_changed as lines
     from commits c left join commit_ai a on a.entity_id = c.entity_id and a.commit_id = c.id
     where c.sha = decode($1, 'hex') order by a.position`,
    [repo.sha(label)],
  );
  return rows.map(({ source, model, kind, lines }) => [source, model, kind, lines]);
};

beforeAll(async () => {
  kit = await createImportKit();
  repoId = (await kit.importFolder('repo', repo.path)).repo_id!;
}, 120_000);

describe('evidence of pull-request commits', () => {
  test('is carried to the squash, by the lines that came from them', async () => {
    expect(await evidenceOf('t1')).toEqual([['note', 'claude-opus-4.5', 'ai', 4000]]);
    // 8 of 12 lines are those of t1, and half of t1 is AI's.
    expect(await evidenceOf('squash')).toEqual([['squashed_record', 'claude-opus-4.5', 'mixed', 12 * 333]]);
    expect(await evidenceOf('squash2')).toEqual([[null, null, 'unknown', null]]);
  });

  test('a mark of Entire has a name of its own', async () => {
    expect(await evidenceOf('checkpoint')).toEqual([['entire', 'other', 'mixed', 3000]]);
  });
});

describe('claims of providers and tools', () => {
  beforeEach(async () => {
    await kit.query('delete from ai_commit_claims');
    await derive({ repoId });
  });

  test('become evidence of the commits they name, twice as once, and go back with the claim', async () => {
    const before = await contentOf(kit, repoId);
    await claim('plain', 'provider_commit', { ai: 8, all: 10 });
    await claim('marked', 'provider_commit', { ai: 0, all: 10 });
    await claim('later', 'otlp_commit');
    await claim('t1', 'otlp_commit');
    await claim('u1', 'otlp_commit');
    expect(await derive('claims')).toBe(4);

    expect(await evidenceOf('plain')).toEqual([['provider_commit', 'cursor', 'mixed', 8000]]);
    // A count of nothing says nothing, and the commit's own words stay.
    expect(await evidenceOf('marked')).toEqual([['co_author', 'claude', 'mixed', 10_000]]);
    expect(await evidenceOf('later')).toEqual([['otlp_commit', 'cursor', 'mixed', 2000]]);
    // A record of lines decides alone.
    expect(await evidenceOf('t1')).toEqual([['note', 'claude-opus-4.5', 'ai', 4000]]);
    expect(await evidenceOf('squash2')).toEqual([['squashed_commit', 'cursor', 'mixed', 12 * 500]]);
    const flows = await kit.query(
      `select w.ai_lines from line_flows w join commits c on c.entity_id = w.entity_id and c.id = w.commit_id
       where c.sha = decode($1, 'hex')`,
      [repo.sha('later')],
    );
    expect(flows).toEqual([{ ai_lines: 1600 }]);
    const waiting = await kit.query('select sha from ai_commit_claims where applied_at is null');
    expect(waiting).toEqual([]);

    const after = await contentOf(kit, repoId);
    expect(await derive({ repoId })).toBe(0);
    await kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, repoId, 'UTC'));
    expect(await contentOf(kit, repoId)).toEqual(after);

    await kit.query('delete from ai_commit_claims');
    expect(await derive({ repoId })).toBe(4);
    expect(await contentOf(kit, repoId)).toEqual(before);
  });

  test('are of the weight of a mark in the message: the facts of both are the same', async () => {
    await claim('plain', 'otlp_commit', {}, 'claude-code');
    await derive('claims');
    // a tool has the name that marks in messages have for it
    expect(await evidenceOf('plain')).toEqual([['otlp_commit', 'claude', 'mixed', 10_000]]);
    const facts = await kit.query(
      `select c.ai_lines_changed, f.ai_lines_added, f.ai_lines_deleted, f.ai_delta = f.delta_added as is_whole
       from commits c join commit_files f on f.entity_id = c.entity_id and f.commit_id = c.id
       where c.sha in (decode($1, 'hex'), decode($2, 'hex'))`,
      [repo.sha('plain'), repo.sha('marked')],
    );
    const one = { ai_lines_changed: 10_000, ai_lines_added: 10_000, ai_lines_deleted: null, is_whole: true };
    expect(facts).toEqual([one, one]);
  });

  test('that come before their commit wait for the import', async () => {
    const other = await createImportKit({ store: kit.store });
    const shared = kit;
    kit = other;
    await claim('plain', 'provider_commit', { ai: 1, all: 4 });
    const { repo_id } = await other.importFolder('repo', repo.path);
    const rows = await other.query(
      `select a.source::text as source, c.ai_lines_changed from commits c
       join commit_ai a on a.entity_id = c.entity_id and a.commit_id = c.id
       where c.entity_id = $1 and c.repo_id = $2 and c.sha = decode($3, 'hex')`,
      [other.entityId, repo_id, repo.sha('plain')],
    );
    kit = shared;
    expect(rows).toEqual([{ source: 'provider_commit', ai_lines_changed: 2500 }]);
  });
});
