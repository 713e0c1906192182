// Paths of the machine on which something was made: they mean nothing elsewhere, and say what nobody needs to know.
// Packed fixtures are looked into as well.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A folder below the temporary one, somebody's home, or the folders that builds run in. */
const MACHINE_PATH =
  /(?<![\w.$}\])])\/(?:(?:private\/|var\/)?tmp\/[\w.-]+\/[\w.-]+|home\/(?!me\/)\w[\w.-]*\/\w|root\/\w|work\/\w)[\w./-]*/g;
const MAGIC_GZIP = Buffer.from([0x1f, 0x8b]);
const LARGEST_BYTES = 5_000_000;

export interface MachinePath {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export function findMachinePaths(root: string, paths: readonly string[]): MachinePath[] {
  return paths.flatMap((path) => {
    const stored = readFileSync(`${root}/${path}`);
    if (stored.length > LARGEST_BYTES) return [];
    const bytes = stored.subarray(0, 2).equals(MAGIC_GZIP) ? gunzipSync(stored) : stored;
    return bytes
      .toString('latin1')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(MACHINE_PATH)].map(([found]) => ({
          path,
          line: index + 1,
          text: `holds ${found.slice(0, 80)}, a path of the machine on which it was made`,
        })),
      );
  });
}
