// What an analysis sets of V8 may change while threads run: they are already starting when it does.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { V8_SETTINGS } from '../../../src/cli/analyze/v8-settings.ts';

const CHANGER = fileURLToPath(new URL('change-v8-settings.mjs', import.meta.url));
/** With `--no-regexp-tier-up` the process ended with a segmentation fault after 0.1 s. */
const MS = 2000;

/** What V8 does without them. */
const USUAL: Record<string, string> = {
  '--interrupt-budget': '--interrupt-budget=67584',
  '--no-parallel-scavenge': '--parallel-scavenge',
  '--heap-growing-percent': '--heap-growing-percent=0',
  '--semi-space-growth-factor': '--semi-space-growth-factor=2',
  '--expose-gc': '--no-expose-gc',
};

function changeBesideThreads(settings: readonly string[]): {
  readonly signal: string | null;
  readonly status: number | null;
} {
  const { signal, status } = spawnSync(process.execPath, [CHANGER, String(MS), JSON.stringify(settings)], {
    timeout: 20 * MS,
  });
  return { signal, status };
}

const usual = (setting: string): string | undefined => USUAL[setting.split('=')[0]!];

describe('settings of V8 that change while threads run', () => {
  it.each([...Object.values(V8_SETTINGS), '--expose-gc'])('%s does threads no harm', (setting) => {
    expect(usual(setting)).toBeDefined();
    expect(changeBesideThreads([setting, usual(setting)!])).toEqual({ signal: null, status: 0 });
  });
});
