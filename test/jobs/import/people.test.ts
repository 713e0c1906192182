import { describe, expect, it } from 'vitest';
import { rebuildRollups } from '../../../src/storage/commits/rollups.ts';
import { countSeats, setProcessingStatuses } from '../../../src/storage/people/developers.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { contentOf, createImportKit, type ImportKit } from './import-kit.ts';

const text = (seed: string): string => `a line of text about ${seed}\nand another one of ${seed}\n`;

const people = (kit: ImportKit) =>
  kit.query(
    `select c.committer_user_name, c.full_name, c.processing_status, c.is_bot, r.committer_user_name as root,
            array(select address_key from committer_identities i
                  where i.entity_id = c.entity_id and i.committer_id = c.id order by 1) as keys
     from committers c join committers r on r.entity_id = c.entity_id and r.id = c.root_committer_id
     where c.entity_id = $1 order by c.committer_user_name`,
    [kit.entityId],
  );

const counts = async (kit: ImportKit) =>
  Object.fromEntries(
    (
      await kit.query<{ name: string; count: number }>(
        `select p.committer_user_name as name, sum(d.commit_count) as count
         from daily_commits d join committers p on p.entity_id = d.entity_id and p.id = d.committer_id
         where d.entity_id = $1 group by 1 order by 1`,
        [kit.entityId],
      )
    ).map(({ name, count }) => [name, count]),
  );

describe('committers', () => {
  it('are one person by the number of a host’s account; agents are named by whose address they sign with', async () => {
    const repo = goldenRepo()
      .commit('before', { author: 'Bo <12345+bo-b@users.noreply.github.com>', files: { a: text('before') } })
      .commit('renamed', { author: 'Bo B <12345+bobby@users.noreply.github.com>', files: { b: text('renamed') } })
      .commit('agent', {
        author: 'Bo <bo@example.com>',
        message: 'work\n\nCo-Authored-By: Claude Opus 4.1 <noreply@anthropic.com>\n',
        files: { c: text('agent') },
      })
      .commit('named', {
        author: 'Bo <bo@example.com>',
        message: 'work\n\nCo-Authored-By: GPT-5 <noreply@models.example.com>\n',
        files: { d: text('named') },
      })
      .build();
    const kit = await createImportKit();
    await kit.importFolder('people', repo.path);
    const found = await kit.query(
      `select c.full_name, r.committer_user_name as root, c.is_ai_agent from committers c
       join committers r on r.entity_id = c.entity_id and r.id = c.root_committer_id
       where c.entity_id = $1 order by c.id`,
      [kit.entityId],
    );
    expect(found).toEqual(
      expect.arrayContaining([
        { full_name: 'Claude', root: 'claude', is_ai_agent: true },
        { full_name: 'GPT-5', root: 'gpt-5', is_ai_agent: true },
      ]),
    );
    const accounts = await kit.query<{ root: string }>(
      `select distinct r.committer_user_name as root from committers c
       join committers r on r.entity_id = c.entity_id and r.id = c.root_committer_id
       where c.entity_id = $1 and c.git_provider_id = '12345'`,
      [kit.entityId],
    );
    expect(accounts).toHaveLength(1);
    const { used } = (
      await kit.query<{ used: number }>(
        'select count(*)::int as used from committers where entity_id = $1 and is_ai_agent',
        [kit.entityId],
      )
    )[0]!;
    expect(await countSeats(kit.store.db, kit.entityId)).toBe(found.length - used - 1);
  });

  it('are one person by mailmap, equal address and noreply form; bots are limited; names are unique', async () => {
    const repo = goldenRepo()
      .commit('map', { files: { '.mailmap': 'Ada Lovelace <ada@example.com> <ada@old.example.com>\n' } })
      .commit('old', { author: 'ada <ada@old.example.com>', files: { a: text('old') } })
      .commit('case', { author: 'Ada L <ADA@example.com>', files: { b: text('case') } })
      .commit('login', { author: 'Bo <12345+bo-b@users.noreply.github.com>', files: { c: text('login') } })
      .commit('login2', { author: 'Bo B <bo-b@users.noreply.github.com>', files: { d: text('login2') } })
      .commit('twin', { author: 'Ada Lovelace <other.ada@example.org>', files: { e: text('twin') } })
      .commit('bot', {
        author: 'dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>',
        files: { f: text('bot') },
      })
      .commit('pair', { message: 'pair\n\nCo-authored-by: Cy <cy@example.com>\n', files: { g: text('pair') } })
      .build();
    const kit = await createImportKit();
    await kit.importFolder('people', repo.path);
    const person = (name: string, full: string, keys: string[]) => ({
      committer_user_name: name,
      full_name: full,
      processing_status: 'processing_stats',
      is_bot: false,
      root: name,
      keys,
    });
    const found = await people(kit);
    expect(found).toHaveLength(5);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          keys: ['ada@example.com', 'ada@old.example.com'],
          processing_status: 'processing_stats',
        }),
        expect.objectContaining({ keys: ['other.ada@example.org'] }),
        expect.objectContaining({ committer_user_name: 'bo-b', keys: ['bo-b@users.noreply.github.com'] }),
        person('cy', 'Cy', ['cy@example.com']),
        expect.objectContaining({ is_bot: true, processing_status: 'limited_processing' }),
      ]),
    );
    const names = found.map((row) => (row as { committer_user_name: string }).committer_user_name);
    expect(names).toEqual(expect.arrayContaining(['ada-lovelace', 'ada-lovelace-2']));
    // No stats for the bot.
    expect(await counts(kit)).toEqual(expect.objectContaining({ 'bo-b': 2 }));
    expect(Object.values(await counts(kit)).reduce((sum, count) => sum + count, 0)).toBe(7);
  });

  it('that were taken for bots are found to be agents by the next import, but for a status that was chosen', async () => {
    const agent = 'Devin AI <158243242+devin-ai-integration[bot]@users.noreply.github.com>';
    const builder = goldenRepo().commit('one', { author: agent, files: { a: text('one') } });
    const kit = await createImportKit();
    await kit.importFolder('agents', builder.build().path);
    const kinds = () =>
      kit.query('select is_bot, is_ai_agent, processing_status from committers where entity_id = $1', [kit.entityId]);
    const found = [{ is_bot: false, is_ai_agent: true, processing_status: 'processing_stats' }];
    expect(await kinds()).toEqual(found);
    const takeForBot = (isChosen: boolean) =>
      kit.query(
        `update committers set is_bot = true, is_ai_agent = false, processing_status = 'limited_processing',
           is_status_chosen = $2 where entity_id = $1`,
        [kit.entityId, isChosen],
      );
    await takeForBot(false);
    await kit.importFolder(
      'more',
      goldenRepo()
        .commit('two', { author: agent, files: { b: text('two') } })
        .build().path,
    );
    expect(await kinds()).toEqual(found);
    await takeForBot(true);
    await kit.importFolder(
      'again',
      goldenRepo()
        .commit('x', { author: agent, files: { c: text('x') } })
        .build().path,
    );
    expect(await kinds()).toEqual([{ ...found[0], processing_status: 'limited_processing' }]);
  });

  it('that a later mailmap joins become root and child, and keep their user names', async () => {
    const first = goldenRepo()
      .commit('one', { author: 'Di One <di@one.org>', files: { a: text('one') } })
      .commit('two', { author: 'Di Two <di@two.org>', files: { b: text('two') } })
      .build();
    const second = goldenRepo()
      .commit('map', { author: 'Di One <di@one.org>', files: { '.mailmap': 'Di One <di@one.org> <di@two.org>\n' } })
      .commit('two', { author: 'Di Two <di@two.org>', message: 'mapped\n', files: { c: text('three') } })
      .build();
    const kit = await createImportKit();
    await kit.importFolder('first', first.path);
    await kit.importFolder('second', second.path);
    const roots = Object.fromEntries(
      (await people(kit)).map((row) => {
        const { committer_user_name, root } = row as { committer_user_name: string; root: string };
        return [committer_user_name, root];
      }),
    );
    expect(roots).toEqual({ 'di-one': 'di-one', 'di-two': 'di-one' });
  });
});

describe('processing status', () => {
  const repo = goldenRepo()
    .commit('one', { author: 'Ada <ada@x.org>', files: { 'a.ts': text('one') } })
    .commit('two', { author: 'Bo <bo@x.org>', files: { 'a.ts': text('two') } })
    .commit('three', { author: 'Ada <ada@x.org>', files: { 'b.md': text('three') } })
    .build();

  const idOf = async (kit: ImportKit, name: string): Promise<number> =>
    (
      await kit.query<{ id: number }>(
        'select root_committer_id as id from committers where entity_id = $1 and committer_user_name = $2',
        [kit.entityId, name],
      )
    )[0]!.id;

  it('decides what counts, and a change recounts exactly that person', async () => {
    const kit = await createImportKit();
    const { repo_id } = await kit.importFolder('status', repo.path);
    const before = await contentOf(kit, repo_id);
    expect(await counts(kit)).toEqual({ ada: 2, bo: 1 });
    for (const status of ['not_processing', 'limited_processing'] as const) {
      await kit.store.db
        .transaction()
        .execute(async (trx) => setProcessingStatuses(trx, kit.entityId, [await idOf(kit, 'ada')], status));
      expect(await counts(kit)).toEqual({ bo: 1 });
    }
    await kit.store.db
      .transaction()
      .execute(async (trx) => setProcessingStatuses(trx, kit.entityId, [await idOf(kit, 'ada')], 'processing_stats'));
    expect(await contentOf(kit, repo_id)).toEqual(before);
  });

  it('of new committers is the entity’s default; their lines are origins all the same', async () => {
    const kit = await createImportKit();
    await kit.query(
      `insert into entity_settings (entity_id, key, value) values ($1, 'default_processing_status', '"not_processing"')`,
      [kit.entityId],
    );
    await kit.importFolder('hidden', repo.path);
    expect(await counts(kit)).toEqual({});
    const [flow] = await kit.query('select origin_commit_id is not null as known from line_flows');
    expect(flow).toEqual({ known: true });
  });

  it('a rebuild gives the very same sums, and other days after a change of time zone', async () => {
    const kit = await createImportKit();
    const { repo_id } = await kit.importFolder('rebuilt', repo.path);
    const before = await contentOf(kit, repo_id);
    await kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, repo_id!, 'UTC'));
    expect(await contentOf(kit, repo_id)).toEqual(before);
    await kit.store.db
      .transaction()
      .execute((trx) => rebuildRollups(trx, kit.entityId, repo_id!, 'Pacific/Kiritimati'));
    expect(await kit.query('select distinct authored_on from daily_commits')).toEqual([{ authored_on: '2024-01-02' }]);
  });

  it('are known since their first commit, also where the import leaves it out', async () => {
    const repo = goldenRepo()
      .commit('map', {
        author: 'Ada Lovelace <ada@example.com>',
        files: { '.mailmap': 'Ada Lovelace <ada@example.com> <ada@old.example.com>\n' },
        at: '2020-03-01T10:00:00Z',
      })
      .commit('first', {
        author: 'ada <ada@old.example.com>',
        authored: '2019-05-01T10:00:00Z',
        committed: '2020-04-01T10:00:00Z',
        files: { a: text('first') },
      })
      .commit('unset', {
        author: 'Bo <bo@example.com>',
        authored: 0,
        committed: '2020-05-01T10:00:00Z',
        files: { b: text('unset') },
      })
      .commit('later', {
        author: 'Ada Lovelace <ada@example.com>',
        files: { c: text('later') },
        at: '2024-02-01T10:00:00Z',
      })
      .commit('bo', { author: 'Bo <bo@example.com>', files: { d: text('bo') }, at: '2024-02-02T10:00:00Z' })
      .build();
    const kit = await createImportKit();
    const firsts = () =>
      kit.query(
        `select address_key as key, first_authored_at as at from committer_identities
         where entity_id = $1 and first_authored_at is not null order by 1`,
        [kit.entityId],
      );
    await kit.run(await kit.queue('r', { kind: 'path', address: repo.path }, { from: '2024-01-01T00:00:00Z' }));
    expect(await kit.query('select 1 from commits where entity_id = $1', [kit.entityId])).toHaveLength(2);
    expect(await firsts()).toEqual([
      { key: 'ada@example.com', at: '2019-05-01T10:00:00Z' },
      { key: 'bo@example.com', at: '2024-02-02T10:00:00Z' },
    ]);
    repo.cleanup();
  });
});
