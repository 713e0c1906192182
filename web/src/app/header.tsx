// The line on top: entity, search, imports under way, help, theme, user.
import { ChevronDown, CircleHelp, Monitor, Moon, Search, Sun } from 'lucide-react';
import { call } from '../api/call.ts';
import { isBusy } from '../api/queries.ts';
import { usePage } from '../report/page-context.ts';
import { formatCount } from '../text/numbers.ts';
import { initials } from '../text/words.ts';
import { Button } from '../ui/controls/button.tsx';
import { Menu } from '../ui/popup/menu.tsx';
import { leaveTo } from '../url/leave.ts';
import { pageLink, signInLink } from '../url/links.ts';
import styles from './header.module.css';
import type { ThemeChoice } from './use-theme.ts';

interface HeaderProps {
  readonly theme: ThemeChoice;
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

const THEMES = [
  ['auto', 'Like the system', <Monitor key="auto" />],
  ['light', 'Light', <Sun key="light" />],
  ['dark', 'Dark', <Moon key="dark" />],
] as const;

export function Header({ theme, onPalette, onHelp }: HeaderProps) {
  const { me, entity, view } = usePage();
  const name = me.user.full_name ?? me.user.email;
  const signOut = (): void => {
    call('DELETE /sessions/:id', { id: 'current' }).finally(() => leaveTo(signInLink()));
  };
  return (
    <header className={styles.header}>
      {/* On small screens the words are not shown; the names stay. */}
      <a className={styles.brand} href={pageLink(entity.slug, 'overview', view)}>
        <img src="/favicon.svg" alt="Strata" width="20" height="20" />
        <span aria-hidden="true">Strata</span>
      </a>
      {me.entities.length > 1 ? (
        <Menu
          trigger={
            <button type="button" className={styles.entity}>
              {entity.name} <ChevronDown aria-hidden="true" />
            </button>
          }
          entries={me.entities.map(({ slug, name: text, role }) => ({
            key: slug,
            text,
            hint: role,
            href: pageLink(slug, 'overview'),
            isChosen: slug === entity.slug,
          }))}
        />
      ) : (
        <span className={styles.only}>{entity.name}</span>
      )}
      <button type="button" className={styles.search} onClick={onPalette}>
        <Search aria-hidden="true" />
        <span className="visually-hidden">Search or jump</span>
        <span aria-hidden="true">Search or jump</span>
        <kbd>Ctrl K</kbd>
      </button>
      <ImportState />
      <Button look="quiet" isIcon aria-label="Keys and help" onClick={onHelp}>
        <CircleHelp aria-hidden="true" />
      </Button>
      <Menu
        align="end"
        trigger={
          <Button look="quiet" isIcon aria-label="Theme">
            {THEMES.find(([choice]) => choice === theme.choice)?.[2] ?? null}
          </Button>
        }
        entries={THEMES.map(([choice, text, icon]) => ({
          key: choice,
          text,
          icon,
          isChosen: choice === theme.choice,
          onChoose: () => theme.choose(choice),
        }))}
      />
      <Menu
        align="end"
        trigger={
          <button type="button" className={styles.user}>
            <span aria-hidden="true">{initials(name)}</span>
            <span className="visually-hidden">User {name}</span>
          </button>
        }
        entries={[
          { key: 'who', text: name, hint: entity.role, href: pageLink(entity.slug, 'account') },
          { key: 'account', text: 'Account and sessions', href: pageLink(entity.slug, 'account') },
          { key: 'api', text: 'API documentation', href: '/docs', separated: true },
          { key: 'out', text: 'Sign out', separated: true, onChoose: signOut },
        ]}
      />
    </header>
  );
}

/** How far imports are, as long as one runs or has failed. */
function ImportState() {
  const { imports, entity, view } = usePage();
  const busy = imports.repos.filter(isBusy);
  const failed = imports.repos.filter(({ phase_em: phase }) => phase === 'failed');
  if (busy.length === 0 && failed.length === 0) return null;
  const percent = busy.reduce((sum, { percent_complete: done }) => sum + done, 0) / Math.max(1, busy.length);
  return (
    <a
      className={styles.imports}
      data-failed={busy.length === 0 || undefined}
      href={pageLink(entity.slug, 'imports', view)}
    >
      <span className={styles.dot} aria-hidden="true" />
      {busy.length > 0 ? `Importing ${formatCount(percent)} %` : `${failed.length} failed`}
    </a>
  );
}
