// A repository to import, and what it will be called.

export interface ImportTarget {
  readonly kind: 'path' | 'address';
  readonly address: string;
  readonly as: string;
  /** The name comes from the folder or address alone. */
  readonly isNameGuessed?: boolean;
}
