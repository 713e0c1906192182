// The lists that hang on one item. Where a page is light, what fails by itself again and again is left out and named, so
// that one item does not keep all behind it away.
import { HostError } from '../../domain/repos/code-host.ts';

export interface ItemLists {
  /** Names of those that the host did not give. */
  readonly missing: readonly string[];
  /** `empty` stands for a list that is left out. */
  read<T>(name: string, empty: T, ask: () => Promise<T>): Promise<T>;
}

const LEFT_OUT: readonly string[] = ['timeout', 'unreachable', 'unexpected_answer'];

export const isGone = (error: unknown): boolean => error instanceof HostError && error.status === 404;

export const isHeavy = (error: unknown): boolean =>
  error instanceof HostError && LEFT_OUT.includes(error.failure) && !isGone(error);

export function createItemLists(isLight: boolean): ItemLists {
  const missing: string[] = [];
  return {
    missing,
    async read(name, empty, ask) {
      try {
        return await ask();
      } catch (error) {
        if (!isLight || !isHeavy(error)) throw error;
        missing.push(name);
        return empty;
      }
    },
  };
}

export const incompleteDetail = (host: string, missing: readonly string[]): string | null =>
  missing.length === 0 ? null : `${host} did not give ${missing.join(', ')}`;

/** Null where the item went while it was read. */
export async function unlessGone<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
