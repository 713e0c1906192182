// Which days are shown. The list is loaded when it is first used.
import { useState } from 'react';
import { createLatePart, Late } from '../../ui/late-part.tsx';
import { RangeButton } from './range-button.tsx';

const list = createLatePart(async () => (await import('./range-list.tsx')).RangeList);

const NO_PROPS = {};

export function RangePicker() {
  const [isUsed, setUsed] = useState(false);
  const button = (
    <RangeButton
      aria-haspopup="dialog"
      onPointerEnter={list.fetchAhead}
      onFocus={list.fetchAhead}
      onClick={() => setUsed(true)}
    />
  );
  if (!isUsed) return button;
  return <Late part={list} with={NO_PROPS} fallback={button} />;
}
