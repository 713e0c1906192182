// A part of the page whose script is fetched apart. A lazy part of React keeps its fallback for 300 ms once it has shown it,
// and shows it even where the script was fetched before; these appear as soon as the script is there.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

export interface LatePart<P extends object> {
  /** Null until its script is there. */
  readonly read: () => ComponentType<P> | null;
  readonly fetch: () => Promise<ComponentType<P>>;
  /** For when the part will soon be wanted. If its script does not come, that is said once it is. */
  readonly fetchAhead: () => void;
}

/** Its script did not come: the server is away, or was upgraded since the page was loaded. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

/** For an import that fails, whatever of the part it was that did not come: its script or its style. */
export function sayMissing(error: unknown): never {
  throw new PartMissing(String(error));
}

export function createLatePart<P extends object>(load: () => Promise<ComponentType<P>>): LatePart<P> {
  let loaded: ComponentType<P> | null = null;
  const fetch = async (): Promise<ComponentType<P>> => {
    loaded ??= await load().catch(sayMissing);
    return loaded;
  };
  return { read: () => loaded, fetch, fetchAhead: () => void fetch().catch(() => undefined) };
}

interface LateProps<P extends object> {
  readonly part: LatePart<P>;
  readonly with: P;
  readonly fallback?: ReactNode;
}

export function Late<P extends object>({ part, with: props, fallback = null }: LateProps<P>) {
  const [Found, setFound] = useState(part.read);
  useEffect(() => {
    if (Found !== null) return;
    let isGone = false;
    const show = (read: () => ComponentType<P>): void => {
      if (!isGone) setFound(read);
    };
    part.fetch().then(
      (found) => show(() => found),
      // Thrown while drawing, so that the page says it.
      (error: unknown) =>
        show(() => {
          throw error;
        }),
    );
    return () => {
      isGone = true;
    };
  }, [Found, part]);
  return Found === null ? fallback : <Found {...props} />;
}
