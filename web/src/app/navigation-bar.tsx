// Where one can go: a column at the side, a row on small screens.
import {
  CircleUser,
  Code,
  Download,
  GitPullRequest,
  Hammer,
  LayoutDashboard,
  ListTree,
  Rocket,
  Sparkles,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { usePage } from '../report/page-context.ts';
import { type Page, pageLink } from '../url/links.ts';
import { NAVIGATION } from './navigation.ts';
import styles from './navigation-bar.module.css';

const ICONS: Readonly<Record<Page, ReactNode>> = {
  overview: <LayoutDashboard />,
  code: <Code />,
  work: <Hammer />,
  reviews: <GitPullRequest />,
  delivery: <Rocket />,
  ai: <Sparkles />,
  statistics: <ListTree />,
  imports: <Download />,
  account: <CircleUser />,
};

export function NavigationBar({ current }: { readonly current: string }) {
  const { entity, view, segments, path } = usePage();
  const shown = current === 's' ? (segments.get(path.split('/')[4] ?? '')?.page ?? 'statistics') : current;
  return (
    <nav className={styles.bar} aria-label="Pages">
      <ul>
        {NAVIGATION.map(({ page, title, group }, index) => (
          <li key={page} data-new-group={(index > 0 && NAVIGATION[index - 1]!.group !== group) || undefined}>
            <a href={pageLink(entity.slug, page, view)} aria-current={page === shown ? 'page' : undefined}>
              {ICONS[page]}
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
