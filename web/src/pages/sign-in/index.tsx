// The door: takes the key out of a link's fragment, or asks for address and password. It holds no data.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { CallError, call } from '../../api/call.ts';
import { signInOptionsQuery } from '../../api/queries.ts';
import { sentence } from '../../text/words.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Notice } from '../../ui/surfaces/notice.tsx';
import { SESSION_ENDED, safeReturn } from '../../url/links.ts';
import styles from './sign-in.module.css';

interface Entered {
  readonly page: string;
}

export function SignInPage() {
  const queries = useQueryClient();
  const { data: options } = useQuery(signInOptionsQuery);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = ({ page }: Entered): void => {
    queries.clear();
    location.replace(safeReturn(new URLSearchParams(location.search).get('to')) ?? page);
  };
  const byLink = useMutation({
    mutationFn: (key: string) => call('POST /sessions/by_link', { key }),
    onSuccess: enter,
  });
  const byPassword = useMutation({
    mutationFn: () => call('POST /sessions/by_password', { email, password }),
    onSuccess: enter,
  });
  const { mutate: redeem } = byLink;
  useEffect(() => {
    const take = (): void => {
      const key = location.hash.slice(1);
      if (key === '') return;
      // Out of the address bar and the history, before anything else happens.
      history.replaceState(null, '', location.pathname + location.search);
      redeem(key);
    };
    take();
    // A link that is pasted while this page is open only changes the fragment.
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, [redeem]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    byPassword.mutate();
  };
  const hasEnded = new URLSearchParams(location.search).get('why') === SESSION_ENDED;
  const isInvitation = location.pathname === '/invitation';
  return (
    <main className={styles.page} id="main">
      <title>Sign in · Strata</title>
      <div className={styles.box}>
        <p className={styles.brand}>
          <img src="/favicon.svg" alt="" width="22" height="22" /> Strata
        </p>
        <h1>{isInvitation ? 'Accept the invitation' : 'Sign in'}</h1>
        {hasEnded && !byLink.isPending && byLink.error === null ? (
          <Notice>Your session has ended. Sign in again to go on where you were.</Notice>
        ) : null}
        {byLink.isPending && <Notice>Signing in…</Notice>}
        {byLink.error === null ? null : <Notice kind="error">{sentence(byLink.error.message)}</Notice>}
        {options?.has_password_sign_in !== false && !byLink.isPending && (
          <form className={styles.form} onSubmit={submit}>
            <Field
              label="E-mail address"
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
            <Field
              label="Password"
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              problem={byPassword.error === null ? null : describeRefusal(byPassword.error)}
            />
            <Button type="submit" look="primary" disabled={byPassword.isPending}>
              {byPassword.isPending ? 'Signing in…' : 'Sign in'}
            </Button>
          </form>
        )}
        <p className={styles.help}>
          No password yet? Whoever runs Strata prints a one-time link with <code>strata sign-in-link</code>.
        </p>
      </div>
    </main>
  );
}

function describeRefusal(error: Error): string {
  if (error instanceof CallError && error.status === 429) return 'Too many tries. Wait a few minutes, then try again.';
  return sentence(error.message);
}
