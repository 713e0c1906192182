// The frame around every page of an entity: header, navigation, scope bar, palette, keys.
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { importsQuery, introspectionQuery, meQuery } from '../api/queries.ts';
import { useHeldTurns } from '../report/after-first-chart.ts';
import { parseKnownView } from '../report/filters/known-view.ts';
import { type PageContext, PageProvider } from '../report/page-context.ts';
import { dayInZone } from '../text/dates.ts';
import { LinkButton } from '../ui/controls/button.tsx';
import { createLatePart, Late } from '../ui/late-part.tsx';
import { Empty } from '../ui/surfaces/empty.tsx';
import { Brand } from './error-page.tsx';
import { Header } from './header.tsx';
import { useKeys } from './keys/use-keys.ts';
import { NAVIGATION } from './navigation.ts';
import { NavigationBar } from './navigation-bar.tsx';
import { ScopeBar } from './scope-bar.tsx';
import styles from './shell.module.css';
import { useDataVersion } from './use-data-version.ts';
import { useTheme } from './use-theme.ts';

const palette = createLatePart(async () => (await import('./palette.tsx')).Palette);
const keyHelp = createLatePart(async () => (await import('./keys/key-help.tsx')).KeyHelp);

const PALETTE_MILLISECONDS = 1_500;

type Layer = 'palette' | 'keys' | null;

export function Shell() {
  const { entity: slug = '' } = useParams({ strict: false });
  const router = useRouter();
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location });
  const { data: me } = useQuery(meQuery);
  const { data: introspection } = useQuery(introspectionQuery(slug));
  const { data: imports } = useQuery(importsQuery(slug));
  const entity = me?.entities.find((one) => one.slug === slug);
  const segments = useMemo(
    () => new Map((introspection?.segments ?? []).map((segment) => [segment.segment_em as string, segment])),
    [introspection],
  );
  useDataVersion(slug, imports?.data.version);
  const go = useCallback(
    (href: string, how: 'push' | 'replace' = 'push'): void =>
      how === 'push' ? router.history.push(href) : router.history.replace(href),
    [router],
  );
  const page = useMemo((): PageContext | null => {
    if (me === undefined || entity === undefined || introspection === undefined || imports === undefined) return null;
    return {
      me,
      entity,
      segments,
      names: introspection.display_names,
      imports,
      today: dayInZone(new Date(), entity.time_zone),
      view: parseKnownView(searchStr, introspection.display_names),
      path: pathname,
      go,
    };
  }, [me, entity, introspection, imports, segments, searchStr, pathname, go]);
  if (page === null) {
    if (me === undefined) return null;
    return (
      <main className={styles.lonely} id="main">
        <Brand />
        <Empty title="Nothing here for you" text={`“${slug}” does not exist, or your user has no role in it.`}>
          <LinkButton href="/">Go to the overview</LinkButton>
        </Empty>
      </main>
    );
  }
  return (
    <PageProvider value={page}>
      <Frame page={page} />
    </PageProvider>
  );
}

/**
 * What the charts show. A key or click is answered by the bar in the next frame; the charts follow in a rendering that a
 * further key interrupts. Another page is never drawn with the view of the one before, and a table in place of a chart is
 * drawn at once: its figures are there.
 */
function useShown(page: PageContext): PageContext {
  const deferred = useDeferredValue(page);
  return deferred.path === page.path && deferred.view.view === page.view.view ? deferred : page;
}

function Frame({ page }: { readonly page: PageContext }) {
  const shown = useShown(page);
  useHeldTurns(shown !== page);
  const [layer, setLayer] = useState<Layer>(null);
  const theme = useTheme(page.me.user.preferences.theme);
  useKeys(page, {
    isOn: page.me.user.preferences.shortcuts && layer === null,
    openPalette: () => setLayer('palette'),
    openHelp: () => setLayer('keys'),
  });
  // Fetched in a quiet moment, so that what is typed after Ctrl-K is not lost.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (document.visibilityState !== 'hidden') palette.fetchAhead();
    }, PALETTE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes what stands above it
  useEffect(() => setLayer(null), [page.path]);
  const name = page.path.split('/')[3] ?? 'overview';
  const hasScope = name === 's' || (NAVIGATION.find((row) => row.page === name)?.hasScope ?? false);
  const isEmpty = page.imports.repos.length === 0 && page.imports.data.first_on === null;
  return (
    <div className={styles.frame} data-drawer={shown.view.at === null ? undefined : ''}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Header theme={theme} onPalette={() => setLayer('palette')} onHelp={() => setLayer('keys')} />
      <NavigationBar current={name} />
      <div className={styles.body}>
        {hasScope && !(isEmpty && name === 'overview') && <ScopeBar />}
        <main className={styles.main} id="main" tabIndex={-1} data-old={shown === page ? undefined : ''}>
          <PageProvider value={shown}>
            <Outlet />
          </PageProvider>
        </main>
      </div>
      {layer === 'palette' && <Late part={palette} with={{ theme, onClose: () => setLayer(null) }} />}
      {layer === 'keys' && <Late part={keyHelp} with={{ onClose: () => setLayer(null) }} />}
    </div>
  );
}
