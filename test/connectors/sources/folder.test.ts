// The shared folder of repositories: an entity sees what the operator gave it, and of the rest not even the names.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderRule } from '../../../src/compose/folder-rule.ts';
import { SETTINGS } from '../../../src/config/settings-table.ts';
import { createFolderSource } from '../../../src/connectors/sources/folder.ts';
import { insertEntity } from '../../../src/storage/access/entities.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { createTestDatabase } from '../../support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-repositories-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let store: Store;
const ids: Record<string, number> = {};
beforeAll(async () => {
  for (const path of ['shop/api.git', 'tools/lint.git', 'Private/plans.git']) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'HEAD'), 'ref: refs/heads/main\n');
  }
  ({ store } = await createTestDatabase());
  for (const slug of ['first', 'acme', 'globex']) ids[slug] = (await insertEntity(store.db, { slug, name: slug }))!.id;
});

const sourceWith = (rules: string) => {
  const repository_owners = SETTINGS.repository_owners.type.parse(rules)!;
  return createFolderSource(folder, createFolderRule({ repository_owners }, store));
};
const seenBy = async (rules: string, entity: string) => {
  const source = sourceWith(rules);
  const listed = (await source.listRepos(ids[entity]!)).map(({ organization, repo }) => `${organization}/${repo}`);
  const found: string[] = [];
  for (const [organization, repo] of [
    ['shop', 'api'],
    ['tools', 'lint'],
    ['private', 'plans'],
  ] as const) {
    const one = await source.findRepo(ids[entity]!, { organization, repo });
    if (one !== null) found.push(`${one.path.organization}/${one.path.repo}`);
    const clone = source.cloneAddress(ids[entity]!, { organization, repo });
    if (one === null) await expect(clone).rejects.toThrow('not given to this entity');
    else expect(await clone).toMatchObject({ kind: 'folder' });
  }
  expect(found.toSorted()).toEqual(listed.toSorted());
  const organizations = (await source.listOrganizations(ids[entity]!)).map(({ slug }) => slug);
  expect(organizations.toSorted()).toEqual([...new Set(listed.map((path) => path.split('/')[0]!))].toSorted());
  return listed;
};

const ALL = ['Private/plans', 'shop/api', 'tools/lint'];

describe('repos of the shared folder', () => {
  test('belong to the first entity alone while the operator names none', async () => {
    expect(await seenBy('', 'first')).toEqual(ALL);
    expect(await seenBy('', 'acme')).toEqual([]);
  });

  test('belong to those that are named, and to nobody else, the first one included', async () => {
    const rules = 'shop=acme, tools=acme, tools=globex';
    expect(await seenBy(rules, 'acme')).toEqual(['shop/api', 'tools/lint']);
    expect(await seenBy(rules, 'globex')).toEqual(['tools/lint']);
    expect(await seenBy(rules, 'first')).toEqual([]);
  });

  test('that no rule names belong to that of the star', async () => {
    expect(await seenBy('shop=acme,*=globex', 'globex')).toEqual(['Private/plans', 'tools/lint']);
    expect(await seenBy('PRIVATE=acme', 'acme')).toEqual(['Private/plans']);
  });

  test('pass to nobody when the first entity is removed', async () => {
    await store.pool.query(`update entities set state = 'deleted' where slug = 'first'`);
    expect(await seenBy('', 'acme')).toEqual([]);
    await store.pool.query(`update entities set state = 'active' where slug = 'first'`);
  });

  test('rules that make no sense are refused', () => {
    for (const bad of ['shop', 'shop=', '=acme', 'shop=a b', 'shop=acme=x']) {
      expect(SETTINGS.repository_owners.type.parse(bad), bad).toBeUndefined();
    }
  });
});
