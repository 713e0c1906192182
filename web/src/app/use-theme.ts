// Light, dark or like the system. The choice is kept with the user, and in a cookie from which the server
// writes it into the page, so that the first paint is right.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/call.ts';
import { type Me, meQuery } from '../api/queries.ts';

export type Theme = Me['user']['preferences']['theme'];

export interface ThemeChoice {
  readonly choice: Theme;
  readonly choose: (theme: Theme) => void;
}

const COOKIE_SECONDS = 31_536_000;

export function useTheme(choice: Theme): ThemeChoice {
  const queries = useQueryClient();
  useEffect(() => applyTheme(choice), [choice]);
  const save = useMutation({ mutationFn: (theme: Theme) => call('PUT /me/preferences', { theme }) });
  return {
    choice,
    choose: (theme) => {
      queries.setQueryData(meQuery.queryKey, (me) =>
        me === undefined ? me : { ...me, user: { ...me.user, preferences: { ...me.user.preferences, theme } } },
      );
      save.mutate(theme);
    },
  };
}

function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  // As the server wrote it from the cookie.
  if ((root.dataset.theme ?? 'auto') === theme) return;
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in two of the browsers
  document.cookie = `strata_theme=${theme === 'auto' ? '' : theme}; path=/; samesite=lax; max-age=${theme === 'auto' ? 0 : COOKIE_SECONDS}`;
}
