// Loads an installed package at the moment of its first use, without waiting: large ones that most commands never need.
import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';
import type * as PinoPretty from 'pino-pretty';

/** Each has a CommonJS face, which is what is loaded. */
interface Packages {
  readonly 'date-holidays': typeof Holidays;
  readonly 'pino-pretty': typeof PinoPretty;
}

const requireHere = createRequire(import.meta.url);

export function packageOnUse<N extends keyof Packages>(name: N): () => Packages[N] {
  let loaded: Packages[N] | null = null;
  return () => {
    loaded ??= requireHere(name) as Packages[N];
    return loaded;
  };
}
