// Puts the parts together: queries, router, and what a lost session does.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { CallError } from '../api/call.ts';
import { meQuery, shouldRetry } from '../api/queries.ts';
import { takeStartData } from '../api/start-data.ts';
import { leaveTo } from '../url/leave.ts';
import { signInLink } from '../url/links.ts';
import { interceptLinks } from './intercept-links.ts';
import { createPageRouter } from './routes.tsx';

const queries = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, refetchOnWindowFocus: false } },
  queryCache: new QueryCache({ onError: leaveWithoutSession }),
});
takeStartData(queries);
const router = createPageRouter(queries);
interceptLinks(router);

/** A call was answered 401: the session is over, wherever the page is. */
function leaveWithoutSession(error: Error): void {
  if (!(error instanceof CallError) || error.status !== 401) return;
  const { pathname, search } = location;
  if (pathname === '/sign-in' || pathname === '/invitation') return;
  const hasEnded = queries.getQueryData(meQuery.queryKey) !== undefined;
  leaveTo(signInLink(pathname + search, { hasEnded }));
}

export function App() {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  );
}
