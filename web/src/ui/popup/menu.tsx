// A button that opens a list of things to do or pages to go to. The button is there at once; the list is
// loaded when the pointer or the focus comes near.
import { cloneElement, lazy, Suspense, useState } from 'react';
import type { MenuProps } from './menu-props.ts';

const loadList = () => import('./menu-list.tsx');
const MenuList = lazy(() => loadList().then(({ MenuList: list }) => ({ default: list })));

export function Menu(props: MenuProps) {
  const [isUsed, setUsed] = useState(false);
  const button = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    onPointerEnter: () => void loadList(),
    onFocus: () => void loadList(),
    onClick: () => setUsed(true),
  });
  if (!isUsed) return button;
  return (
    <Suspense fallback={button}>
      <MenuList {...props} />
    </Suspense>
  );
}
