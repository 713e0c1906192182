// The list of a menu; it is loaded when a menu is first used.
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { MenuProps } from './menu-props.ts';
import styles from './popup.module.css';

export function MenuList({ trigger, entries, align = 'start' }: MenuProps) {
  const hasChoice = entries.some(({ isChosen }) => isChosen !== undefined);
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={6} align={align} collisionPadding={8}>
          <Base.Popup className={styles.popup}>
            {entries.map(({ key, text, hint, icon, isChosen, separated, href, download, onChoose }) => {
              const content = (
                <>
                  {hasChoice && <span className={styles.check}>{isChosen ? <Check aria-label="chosen" /> : null}</span>}
                  {icon}
                  <span className={styles.itemText}>{text}</span>
                  {hint !== undefined && <span className={styles.hint}>{hint}</span>}
                </>
              );
              const item =
                href === undefined ? (
                  <Base.Item key={key} className={styles.item} onClick={onChoose}>
                    {content}
                  </Base.Item>
                ) : (
                  <Base.LinkItem key={key} className={styles.item} href={href} download={download} closeOnClick>
                    {content}
                  </Base.LinkItem>
                );
              return separated ? [<Base.Separator key={`${key} line`} className={styles.separator} />, item] : item;
            })}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
