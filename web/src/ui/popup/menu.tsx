// A button that opens a list of things to do or pages to go to. The button is there at once; the list is
// loaded when the pointer or the focus comes near.
import { cloneElement, useState } from 'react';
import { createLatePart, Late } from '../late-part.tsx';
import type { MenuProps } from './menu-props.ts';

const list = createLatePart(async () => (await import('./menu-list.tsx')).MenuList);

export function Menu(props: MenuProps) {
  const [isUsed, setUsed] = useState(false);
  const button = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    onPointerEnter: list.fetchAhead,
    onFocus: list.fetchAhead,
    onClick: () => setUsed(true),
  });
  if (!isUsed) return button;
  return <Late part={list} with={props} fallback={button} />;
}
