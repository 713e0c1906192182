// The signed-in user: sessions, password, theme, keys.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { sessionsQuery } from '../../api/queries.ts';
import { usePage } from '../../report/page-context.ts';
import { formatRelative } from '../../text/dates.ts';
import { capitalize } from '../../text/words.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Notice } from '../../ui/surfaces/notice.tsx';
import layout from '../../ui/surfaces/page.module.css';
import { Panel } from '../../ui/surfaces/panel.tsx';
import { leaveTo } from '../../url/leave.ts';
import { signInLink } from '../../url/links.ts';
import styles from './account.module.css';
import { describeAgent } from './describe-agent.ts';

export function AccountPage() {
  const { me, entity } = usePage();
  return (
    <div className={layout.page}>
      <title>Account · Strata</title>
      <header className={layout.head}>
        <h1>Account</h1>
        <p>
          {me.user.email}, {entity.role} of {entity.name}
          {me.user.is_super_admin ? ', super admin' : ''}
        </p>
      </header>
      <div className={styles.columns}>
        <Sessions />
        <div className={layout.page}>
          <Password />
          <Keys />
        </div>
      </div>
    </div>
  );
}

function Sessions() {
  const queries = useQueryClient();
  const { data, error } = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (id: string) => call('DELETE /sessions/:id', { id }),
    onSuccess: (_, id) => {
      if (id === 'current') leaveTo(signInLink());
      else return queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const others = (data?.sessions ?? []).filter(({ is_current: isCurrent }) => !isCurrent);
  const endOthers = useMutation({
    mutationFn: () => Promise.all(others.map(({ id }) => call('DELETE /sessions/:id', { id: String(id) }))),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Panel
      title="Sessions"
      note="Where you are signed in"
      controls={
        others.length > 1 && (
          <Button size="small" disabled={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        )
      }
    >
      {error === null ? null : <Notice kind="error">{capitalize(error.message)}</Notice>}
      {end.error === null ? null : <Notice kind="error">{capitalize(end.error.message)}</Notice>}
      <ul className={styles.sessions}>
        {(data?.sessions ?? []).map((session) => (
          <li key={session.id}>
            <div>
              <p>
                {describeAgent(session.agent)}
                {session.is_current ? <span className={styles.current}>this one</span> : null}
              </p>
              <p className={styles.quiet}>
                {session.address} · seen {formatRelative(session.seen_at, new Date())} · ends{' '}
                {formatRelative(session.expires_at, new Date())}
              </p>
            </div>
            <Button
              size="small"
              disabled={end.isPending}
              onClick={() => end.mutate(session.is_current ? 'current' : String(session.id))}
            >
              {session.is_current ? 'Sign out' : 'End'}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Password() {
  const { me } = usePage();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const save = useMutation({
    mutationFn: () => call('PUT /me/password', { password, ...(current === '' ? {} : { current_password: current }) }),
    onSuccess: () => {
      setPassword('');
      setCurrent('');
      const stale = [['me'], sessionsQuery.queryKey];
      return Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title="Password" note={me.user.has_password ? undefined : 'None yet: you sign in by link'}>
      <form className={styles.form} onSubmit={submit}>
        <input type="hidden" name="username" autoComplete="username" value={me.user.email} readOnly />
        {me.user.has_password && (
          <Field
            label="Present password"
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters. Other sessions end."
          problem={save.error === null ? null : capitalize(save.error.message)}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div>
          <Button type="submit" disabled={save.isPending || password === ''}>
            {me.user.has_password ? 'Change password' : 'Set password'}
          </Button>
        </div>
        {save.isSuccess && <Notice kind="good">The password is set.</Notice>}
      </form>
    </Panel>
  );
}

function Keys() {
  const { me } = usePage();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (shortcuts: boolean) => call('PUT /me/preferences', { shortcuts }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['me'] }),
  });
  return (
    <Panel title="Keyboard">
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={me.user.preferences.shortcuts}
          disabled={save.isPending}
          onChange={(event) => save.mutate(event.target.checked)}
        />
        Single keys are shortcuts; press ? for the list
      </label>
    </Panel>
  );
}
