// The list of a picker, with its search field. It is loaded when a picker is first used.
import { Combobox } from '@base-ui/react/combobox';
import { Check, ChevronDown } from 'lucide-react';
import type { Option, PickerProps } from './picker-props.ts';
import styles from './popup.module.css';

const ANY = '';

export function PickerList({ label, anyLabel, options, value, onChange }: PickerProps) {
  const chosen = options.find((option) => option.value === value);
  const items: readonly Option[] = [{ value: ANY, label: anyLabel }, ...options];
  return (
    <Combobox.Root
      items={items}
      value={chosen ?? items[0]!}
      onValueChange={(option: Option | null) => onChange(option === null || option.value === ANY ? null : option.value)}
      itemToStringLabel={(option: Option) => option.label}
      isItemEqualToValue={(a: Option, b: Option) => a.value === b.value}
      autoHighlight
      defaultOpen
    >
      <Combobox.Trigger
        className={styles.trigger}
        data-set={value === null ? undefined : ''}
        aria-label={`${label}: ${value === null ? anyLabel : (chosen?.label ?? value)}`}
      >
        <span>{value === null ? anyLabel : (chosen?.label ?? value)}</span>
        <ChevronDown aria-hidden="true" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className={styles.positioner} sideOffset={6} align="start" collisionPadding={8}>
          <Combobox.Popup className={styles.popup} aria-label={label}>
            <Combobox.Input
              className={styles.search}
              placeholder="Search"
              aria-label={`Search ${label.toLowerCase()}`}
            />
            <Combobox.Empty>
              <div className={styles.none}>Nothing of that name.</div>
            </Combobox.Empty>
            <Combobox.List>
              {(option: Option) => (
                <Combobox.Item key={option.value} value={option} className={styles.item}>
                  <span className={styles.check}>
                    <Combobox.ItemIndicator>
                      <Check aria-hidden="true" />
                    </Combobox.ItemIndicator>
                  </span>
                  <span className={styles.itemText}>{option.label}</span>
                  {option.hint !== undefined && <span className={styles.hint}>{option.hint}</span>}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
