// Which days are shown. The list is loaded when it is first used.
import { lazy, Suspense, useState } from 'react';
import { RangeButton } from './range-button.tsx';

const loadList = () => import('./range-list.tsx');
const RangeList = lazy(() => loadList().then((module) => ({ default: module.RangeList })));

export function RangePicker() {
  const [isUsed, setUsed] = useState(false);
  const button = (
    <RangeButton
      aria-haspopup="dialog"
      onPointerEnter={() => void loadList()}
      onFocus={() => void loadList()}
      onClick={() => setUsed(true)}
    />
  );
  if (!isUsed) return button;
  return (
    <Suspense fallback={button}>
      <RangeList />
    </Suspense>
  );
}
