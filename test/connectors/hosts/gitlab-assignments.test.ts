// GitLab's system notes about assignees, in all the forms that they have.
import { expect, test } from 'vitest';
import { readAssignments } from '../../../src/connectors/hosts/gitlab/work/read-assignments.ts';

const IDS: Readonly<Record<string, string>> = { ada: '1', 'grace.h': '2', 'linus-t': '3' };
const note = (id: number, body: string, system = true) => ({
  id,
  body,
  system,
  author: null,
  created_at: `2026-01-0${id}T00:00:00Z`,
});

test.each([
  {
    name: 'one after the other',
    bodies: ['assigned to @ada', 'unassigned @ada'],
    shown: [
      [null, '1'],
      ['1', null],
    ],
  },
  {
    name: 'several at once, with dots and hyphens',
    bodies: ['assigned to @ada and @grace.h', 'assigned to @linus-t and unassigned @ada, @grace.h'],
    shown: [
      [null, '1,2'],
      ['1,2', '3'],
    ],
  },
  { name: 'one who is gone stands for herself', bodies: ['assigned to @left'], shown: [[null, '@left']] },
  { name: 'whoever was assigned when the issue was made', bodies: ['unassigned @ada'], shown: [['1', null]] },
  { name: 'other notes', bodies: ['changed the description', 'mentioned in !4 assigned to @ada'], shown: [] },
])('$name', async ({ bodies, shown }) => {
  const notes = bodies.map((body, place) => note(place + 1, body));
  // Newest first, as GitLab lists them.
  const found = await readAssignments([...notes].reverse(), async (login) => IDS[login] ?? null);
  expect(found.map(({ before, after }) => [before, after])).toEqual(shown);
});

test('what a person writes is not a note of the system', async () => {
  expect(await readAssignments([note(1, 'assigned to @ada', false)], async () => '1')).toEqual([]);
});
