// Commands without a service: what they leave behind is whole, and the next command can report it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goldenRepo } from '../world/golden-repo.ts';
import { makeDataFolder, runStrata } from './running-service.ts';

const data = makeDataFolder();
const other = 'Ben <ben@example.org>';
const repository = goldenRepo()
  .commit('one', { files: { 'a.ts': 'const one = 1;\n' }, at: '2024-01-10T12:00:00Z' })
  .commit('two', { files: { 'a.ts': 'const one = 1;\nconst two = 2;\n' }, at: '2024-01-10T13:00:00Z' })
  .commit('three', { files: { 'b.ts': 'const three = 3;\n' }, at: '2024-01-10T13:30:00Z', author: other })
  .commit('late', { files: { 'c.ts': 'const four = 4;\n' }, at: '2024-01-31T23:30:00Z' })
  .tag('v1', 'two')
  .build();
const copy = repository.clone('--bare');

const strata = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await runStrata([...args, '--data', data.path]);
  expect(code, err).toBe(0);
  return out;
};

/** The statistic's figures by month, January and February 2024. */
async function report(segment: string): Promise<number[]> {
  const range = ['--start', '2024-01-01', '--end', '2024-02-29', '--interval', 'month', '--format', 'csv'];
  const [, ...lines] = (await strata('report', segment, ...range)).trim().split('\n');
  return lines.map((line) => Number(line.split(',')[3]));
}

/** Folders of copies, by entity and import. */
const mirrors = (): string[] => {
  const folder = join(data.path, 'mirrors');
  return readdirSync(folder).flatMap((entity) => readdirSync(join(folder, entity)));
};

beforeAll(() => strata('import', repository.path, '--as', 'shop/api', '--since', 'all'), 120_000);

afterAll(() => {
  data.remove();
  repository.cleanup();
});

it('an import: coding time, which follows from all commits of a person', async () => {
  const [january] = await report('minutes_used');
  // An hour lies between two of them.
  expect(january).toBeGreaterThanOrEqual(60);
}, 60_000);

it('two people made one: their coding time', async () => {
  const before = await report('minutes_used');
  await strata('committer', 'merge', 'ben@example.org', 'ada@example.com');
  expect(await report('minutes_used')).not.toEqual(before);
  await strata('committer', 'split', 'ben@example.org');
  expect(await report('minutes_used')).toEqual(before);
}, 120_000);

it('a time zone: the days of commits', async () => {
  expect(await report('commit_count')).toEqual([4, 0]);
  await strata('settings', 'set', 'time_zone', 'Asia/Tokyo', '--entity', 'local');
  expect(await report('commit_count')).toEqual([3, 1]);
  await strata('settings', 'set', 'time_zone', '--default', '--entity', 'local');
  expect(await report('commit_count')).toEqual([4, 0]);
}, 120_000);

it('a repo removed: the releases of one that shares its history', async () => {
  await strata('import', copy, '--as', 'shop/fork', '--since', 'all');
  const before = await report('release_count');
  expect(mirrors()).toHaveLength(2);
  await strata('repo', 'remove', 'shop/api');
  expect(mirrors()).toHaveLength(1);
  expect(await report('release_count')).toEqual(before);
  expect(await report('commit_count')).toEqual([4, 0]);
}, 120_000);
