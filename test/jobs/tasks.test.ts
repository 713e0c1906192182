import { describe, expect, it } from 'vitest';
import { TASK_NAMES } from '../../src/domain/tasks.ts';
import { checkTasks, cronEntries, TASKS } from '../../src/jobs/tasks.ts';

describe('the task table', () => {
  it('has code for every name and no code without a name', () => {
    expect(() => checkTasks(TASKS, TASK_NAMES)).not.toThrow();
    expect(() => checkTasks(TASKS, [...TASK_NAMES, 'zebra'])).toThrow('no code for the background tasks zebra');
    expect(() => checkTasks({ ...TASKS, zebra: {} }, TASK_NAMES)).toThrow('have no name: zebra');
  });

  it('has a cron entry for each task that asks for one, with five fields', () => {
    const entries = cronEntries();
    expect(entries.map(({ task }) => task)).toContain('refresh_repos');
    for (const { pattern } of entries) expect(pattern.split(' ')).toHaveLength(5);
  });
});
