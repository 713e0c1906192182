// What a menu is given.
import type { ButtonHTMLAttributes, ReactElement, ReactNode } from 'react';

export interface MenuEntry {
  readonly key: string;
  readonly text: ReactNode;
  readonly hint?: string;
  readonly icon?: ReactNode;
  readonly isChosen?: boolean;
  /** Stands in front of the entry. */
  readonly separated?: boolean;
  readonly href?: string;
  /** File name under which the target is saved. */
  readonly download?: string;
  readonly onChoose?: () => void;
}

export interface MenuProps {
  readonly trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
}
