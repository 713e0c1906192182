// The addresses of the page. The query is kept as it is written: url/view.ts reads it, the router does not.
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { importsQuery, introspectionQuery, meQuery } from '../api/queries.ts';
import { OverviewPage } from '../pages/overview/index.tsx';
import { StatisticPage } from '../pages/statistic/index.tsx';
import { type Subject, SubjectPage } from '../pages/subject/index.tsx';
import { sayMissing } from '../ui/late-part.tsx';
import { ErrorHere, ErrorPage, MissingHere, MissingPage } from './error-page.tsx';
import { requestAhead } from './request-ahead.ts';
import { Shell } from './shell.tsx';

const SUBJECTS: readonly Subject[] = [
  { page: 'code', title: 'Code', question: 'What happens to the code?' },
  { page: 'work', title: 'Work', question: 'Where does effort go?' },
  { page: 'reviews', title: 'Reviews', question: 'Does work wait?' },
  { page: 'delivery', title: 'Delivery', question: 'Do we ship, and does it hold?' },
  { page: 'ai', title: 'AI', question: 'What do we get for it?' },
];

export function createPageRouter(queries: QueryClient) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: MissingPage, errorComponent: ErrorPage });
  const home = createRoute({
    getParentRoute: () => root,
    path: '/',
    errorComponent: ErrorPage,
    loader: async () => {
      const me = await queries.ensureQueryData(meQuery);
      throw redirect({ href: `/e/${encodeURIComponent(me.entity)}/overview`, replace: true });
    },
  });
  const signIn = ['/sign-in', '/invitation'].map((path) =>
    createRoute({
      getParentRoute: () => root,
      path,
      errorComponent: ErrorPage,
      component: lazyRouteComponent(() => import('../pages/sign-in/index.tsx').catch(sayMissing), 'SignInPage'),
    }),
  );
  const readEntity = (slug: string) =>
    Promise.all([
      queries.ensureQueryData(meQuery),
      queries.ensureQueryData(introspectionQuery(slug)),
      queries.ensureQueryData(importsQuery(slug)),
    ]);
  const entity = createRoute({
    getParentRoute: () => root,
    path: '/e/$entity',
    loader: ({ params }) => readEntity(params.entity),
    component: Shell,
    errorComponent: ErrorPage,
    notFoundComponent: MissingHere,
  });
  const overview = createRoute({ getParentRoute: () => entity, path: 'overview', component: OverviewPage });
  const start = createRoute({ getParentRoute: () => entity, path: '/', component: OverviewPage });
  const statistic = createRoute({
    getParentRoute: () => entity,
    path: 's/$segment',
    // The report is under way while the page around it is drawn, and so are the records of its point.
    loader: async ({ params, location }) => {
      await readEntity(params.entity);
      requestAhead(queries, { pathname: location.pathname, search: location.searchStr });
    },
    component: StatisticPage,
  });
  const subjects = SUBJECTS.map((subject) =>
    createRoute({ getParentRoute: () => entity, path: subject.page, component: () => <SubjectPage {...subject} /> }),
  );
  const statistics = createRoute({
    getParentRoute: () => entity,
    path: 'statistics',
    component: lazyRouteComponent(() => import('../pages/statistics/index.tsx').catch(sayMissing), 'StatisticsPage'),
  });
  const imports = createRoute({
    getParentRoute: () => entity,
    path: 'imports',
    component: lazyRouteComponent(() => import('../pages/imports/index.tsx').catch(sayMissing), 'ImportsPage'),
  });
  const account = createRoute({
    getParentRoute: () => entity,
    path: 'account',
    component: lazyRouteComponent(() => import('../pages/account/index.tsx').catch(sayMissing), 'AccountPage'),
  });
  const router = createRouter({
    routeTree: root.addChildren([
      home,
      ...signIn,
      entity.addChildren([start, overview, statistic, ...subjects, statistics, imports, account]),
    ]),
    parseSearch: (search) => ({ written: search }),
    stringifySearch: ({ written }) => (typeof written === 'string' ? written : ''),
    defaultPreload: false,
    scrollRestoration: true,
    defaultNotFoundComponent: MissingPage,
    defaultErrorComponent: ErrorHere,
  });
  // In the moment of the key or click, while the router and the page still work.
  router.history.subscribe(({ location }) => requestAhead(queries, location));
  return router;
}
