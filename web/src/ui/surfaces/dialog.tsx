// A window in front of the page; Escape and a click beside it close it.
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Without a visible title line, for the palette. */
  readonly isBare?: boolean;
}

export function Dialog({ title, isOpen, onClose, children, isBare = false }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={isBare ? styles.bare : styles.popup}>
          {isBare ? (
            <Base.Title className="visually-hidden">{title}</Base.Title>
          ) : (
            <header className={styles.head}>
              <Base.Title>{title}</Base.Title>
              <Base.Close render={<Button look="quiet" isIcon aria-label="Close" />}>
                <X aria-hidden="true" />
              </Base.Close>
            </header>
          )}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
