// Chooses one of many by typing a part of its name. The button is there at once; the list and its search
// are heavy and are loaded when the pointer or the focus comes near.
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { createLatePart, Late } from '../late-part.tsx';
import type { PickerProps } from './picker-props.ts';
import styles from './popup.module.css';

const list = createLatePart(async () => (await import('./picker-list.tsx')).PickerList);

export function Picker(props: PickerProps) {
  const [isUsed, setUsed] = useState(false);
  const button = <PickerButton {...props} onUse={() => setUsed(true)} />;
  if (!isUsed) return button;
  return <Late part={list} with={props} fallback={button} />;
}

function PickerButton({
  label,
  anyLabel,
  options,
  value,
  onNear,
  onUse,
}: PickerProps & { readonly onUse: () => void }) {
  const near = (): void => {
    onNear?.();
    list.fetchAhead();
  };
  const chosen = options.find((option) => option.value === value);
  return (
    <button
      type="button"
      className={styles.trigger}
      data-set={value === null ? undefined : ''}
      aria-label={`${label}: ${value === null ? anyLabel : (chosen?.label ?? value)}`}
      aria-haspopup="dialog"
      onPointerEnter={near}
      onFocus={near}
      onClick={onUse}
    >
      <span>{value === null ? anyLabel : (chosen?.label ?? value)}</span>
      <ChevronDown aria-hidden="true" />
    </button>
  );
}
