// What was asked of a host when its answers were kept, with all that decides how they are read.
import type { Cursor } from './stream.ts';

export type RawRequest =
  | {
      readonly kind: 'page';
      readonly cursor: Cursor | null;
      readonly since: string | null;
      readonly until: string | null;
      readonly pageSize: number;
      readonly isLight: boolean;
      /** The items whose children were read. */
      readonly changed: readonly string[];
    }
  | { readonly kind: 'item'; readonly itemKind: string; readonly key: string };
