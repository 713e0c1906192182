// Everything by name: pages, statistics, repos, teams, people, and a few things to do.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { developersQuery, teamsQuery } from '../api/queries.ts';
import { hereWith, usePage } from '../report/page-context.ts';
import { Dialog } from '../ui/surfaces/dialog.tsx';
import { pageLink, statisticLink } from '../url/links.ts';
import { NAVIGATION } from './navigation.ts';
import styles from './palette.module.css';
import type { ThemeChoice } from './use-theme.ts';

interface Entry {
  readonly key: string;
  readonly title: string;
  readonly kind: string;
  /** What is searched. */
  readonly words: string;
  readonly run: () => void;
}

interface PaletteProps {
  readonly theme: ThemeChoice;
  readonly onClose: () => void;
}

const MOST_SHOWN = 40;

export function Palette({ theme, onClose }: PaletteProps) {
  const page = usePage();
  const { entity, view, segments, imports, go } = page;
  const { data: teams } = useQuery(teamsQuery(entity.slug));
  const { data: people } = useQuery(developersQuery(entity.slug));
  const open = (href: string) => (): void => {
    onClose();
    go(href);
  };
  const act = (does: () => void) => (): void => {
    onClose();
    does();
  };
  const overviewOf = (change: Partial<typeof view>): string =>
    pageLink(entity.slug, 'overview', { ...view, ...change });
  const entry = (kind: string, title: string, run: () => void, more = ''): Entry => ({
    key: `${kind} ${title} ${more}`,
    title,
    kind,
    words: `${title} ${more}`,
    run,
  });
  const entries: readonly Entry[] = [
    ...NAVIGATION.map(({ page: name, title }) => entry('Page', title, open(pageLink(entity.slug, name, view)))),
    ...[...segments.values()].map((segment) =>
      entry('Statistic', segment.title, open(statisticLink(entity.slug, segment.segment_em, view)), segment.segment_em),
    ),
    ...imports.repos.map(({ repo_path: path }) => entry('Repo', path, open(overviewOf({ in: path })))),
    ...(teams?.teams ?? []).map(({ name, slug }) => entry('Team', name, open(overviewOf({ team: slug })), slug)),
    ...(people?.committers ?? []).map(({ full_name: name, committer_user_name: user }) =>
      entry('Person', name, open(overviewOf({ who: user })), user),
    ),
    entry(
      'Action',
      'Light theme',
      act(() => theme.choose('light')),
    ),
    entry(
      'Action',
      'Dark theme',
      act(() => theme.choose('dark')),
    ),
    entry(
      'Action',
      'Theme like the system',
      act(() => theme.choose('auto')),
    ),
    entry(
      'Action',
      view.view === 'table' ? 'Show the chart' : 'Show the table',
      open(hereWith(page, { view: view.view === 'table' ? 'chart' : 'table' })),
    ),
    entry('Action', 'Clear all filters', open(hereWith(page, { in: null, team: null, who: null, ai: null }))),
  ];
  return (
    <Dialog title="Search or jump" isOpen onClose={onClose} isBare>
      <Autocomplete.Root
        items={entries}
        itemToStringValue={({ words }: Entry) => words}
        limit={MOST_SHOWN}
        autoHighlight="always"
        open
        inline
      >
        <Autocomplete.Input
          className={styles.input}
          placeholder="A page, statistic, repo, team or person"
          aria-label="Search or jump"
        />
        <Autocomplete.Empty>
          <div className={styles.none}>Nothing of that name.</div>
        </Autocomplete.Empty>
        <Autocomplete.List className={styles.list}>
          {(item: Entry) => (
            <Autocomplete.Item key={item.key} value={item} className={styles.item} onClick={item.run}>
              <span>{item.title}</span>
              <span className={styles.kind}>{item.kind}</span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  );
}
