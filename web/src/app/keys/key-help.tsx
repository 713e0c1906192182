// The list of keys.
import { usePage } from '../../report/page-context.ts';
import { Dialog } from '../../ui/surfaces/dialog.tsx';
import { Notice } from '../../ui/surfaces/notice.tsx';
import { pageLink } from '../../url/links.ts';
import styles from './key-help.module.css';
import { SHORTCUTS } from './shortcuts.ts';

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { me, entity } = usePage();
  const groups = Map.groupBy(SHORTCUTS, ({ group }) => group);
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
      {me.user.preferences.shortcuts ? null : (
        <Notice>
          Single keys are switched off in your <a href={pageLink(entity.slug, 'account')}>account</a>.
        </Notice>
      )}
      <div className={styles.groups}>
        {[...groups].map(([group, rows]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {rows.map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>In a chart</h3>
          <dl>
            <div>
              <dt>
                <kbd>←</kbd>
                <kbd>→</kbd>
              </dt>
              <dd>Next point</dd>
            </div>
            <div>
              <dt>
                <kbd>↑</kbd>
                <kbd>↓</kbd>
              </dt>
              <dd>Next series</dd>
            </div>
            <div>
              <dt>
                <kbd>Enter</kbd>
              </dt>
              <dd>Records behind the point</dd>
            </div>
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
