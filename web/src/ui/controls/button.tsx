// Buttons, and links that look like one.
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface Look {
  readonly look?: 'plain' | 'primary' | 'quiet';
  readonly size?: 'normal' | 'small';
  /** Only a picture inside; needs an aria-label. */
  readonly isIcon?: boolean;
}

const classOf = ({ look = 'plain', size = 'normal', isIcon = false }: Look): string =>
  [styles.button, look === 'plain' ? '' : styles[look], size === 'small' ? styles.small : '', isIcon ? styles.icon : '']
    .filter((name) => name !== '')
    .join(' ');

export function Button({
  look,
  size,
  isIcon,
  type = 'button',
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button {...rest} type={type} className={classOf({ look, size, isIcon } as Look)} />;
}

export function LinkButton({ look, size, isIcon, children, ...rest }: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} className={classOf({ look, size, isIcon } as Look)}>
      {children}
    </a>
  );
}
