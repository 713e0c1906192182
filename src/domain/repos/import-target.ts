// A repository to import, and what it will be called.
import { repoNameKey } from './repo-name.ts';

export interface ImportTarget {
  readonly kind: 'path' | 'address';
  readonly address: string;
  readonly as: string;
  /** The name comes from the folder or address alone. */
  readonly isNameGuessed?: boolean;
}

/** Why two repositories of a folder cannot be imported together; null when all have names of their own. */
export function describeClash(targets: readonly ImportTarget[]): string | null {
  const byName = new Map<string, string>();
  for (const { as, address } of targets) {
    const key = repoNameKey(as);
    const other = byName.get(key);
    if (other !== undefined)
      return `${other} and ${address} would both be ${as}; rename one, or import them one by one with --as`;
    byName.set(key, address);
  }
  return null;
}
