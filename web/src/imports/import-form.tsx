// Starts an import: from a folder that the operator allowed, from an address, or from a connected host.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CallError, call } from '../api/call.ts';
import { candidatesQuery } from '../api/queries.ts';
import { mayCall, usePage } from '../report/page-context.ts';
import { capitalize } from '../text/words.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field } from '../ui/controls/field.tsx';
import { Notice } from '../ui/surfaces/notice.tsx';
import { ADMINS_ONLY, describeSources } from './describe-sources.ts';
import styles from './import-form.module.css';

const SINCE = [
  { value: '1y', label: 'The last year' },
  { value: 'all', label: 'Everything' },
] as const;

const FOLDER = /^(\/|\.{1,2}(\/|$)|~|[a-z]:\\)/i;

/** An address has a scheme or is in scp style; a path begins at a root or with a dot; the rest is `org/repo`. */
const isAddress = (text: string): boolean => /^[a-z][a-z+]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

function startImport(entity: string, text: string, since: string) {
  if (isAddress(text)) {
    return call('POST /imports/by_address', { resource_path: entity, address: text, since });
  }
  if (FOLDER.test(text)) {
    return call('POST /imports/by_path', { resource_path: entity, path: text, since });
  }
  return call('POST /imports', { resource_path: entity, repo_path: text, since });
}

const NO_FOLDERS =
  'Folders of the server are not open for import here. Start Strata with --import-folders and a folder, run strata import, or give an address.';

export function ImportForm() {
  const page = usePage();
  const { entity, me } = page;
  const queries = useQueryClient();
  const [source, setSource] = useState('');
  const [since, setSince] = useState<string>('1y');
  const mayUseAddresses = mayCall(page, 'POST /imports/by_address');
  const mayUseFolders = mayCall(page, 'POST /imports/by_path') && me.server.import_folders.length > 0;
  const { label, placeholder, hint } = describeSources({
    mayUseAddresses,
    folders: mayUseFolders ? me.server.import_folders : [],
  });
  const { data: found } = useQuery({ ...candidatesQuery, enabled: mayUseFolders });
  const start = useMutation({
    mutationFn: async (text: string) => {
      if (!mayUseAddresses && (isAddress(text.trim()) || FOLDER.test(text.trim()))) throw new Error(ADMINS_ONLY);
      if (FOLDER.test(text.trim()) && !mayUseFolders) throw new Error(NO_FOLDERS);
      return startImport(entity.slug, text.trim(), since);
    },
    onSuccess: () => {
      setSource('');
      return Promise.all([
        queries.invalidateQueries({ queryKey: ['imports', entity.slug] }),
        queries.invalidateQueries({ queryKey: ['candidates'] }),
      ]);
    },
  });
  if (!mayCall(page, 'POST /imports')) {
    return (
      <Notice>
        Your role in {entity.name} does not start imports. A manager starts those of connected hosts, an admin also
        those from an address.
      </Notice>
    );
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (source.trim() !== '') start.mutate(source);
  };
  const candidates = (found?.candidates ?? []).filter(({ is_imported: isImported }) => !isImported).slice(0, 8);
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label={label}
        placeholder={placeholder}
        value={source}
        onChange={(event) => {
          setSource(event.target.value);
          if (start.error !== null) start.reset();
        }}
        hint={hint}
        problem={start.error === null ? null : capitalize(problemOf(start.error))}
        autoComplete="off"
        spellCheck={false}
      />
      <fieldset className={styles.since}>
        <legend>How far back</legend>
        {SINCE.map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="since" value={value} checked={since === value} onChange={() => setSince(value)} />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <div>
        <Button type="submit" look="primary" disabled={start.isPending || source.trim() === ''}>
          {start.isPending ? 'Starting…' : 'Import'}
        </Button>
      </div>
      {candidates.length > 0 && (
        <div className={styles.found}>
          <p>Found here</p>
          <ul>
            {candidates.map(({ path, name }) => (
              <li key={path}>
                <Button size="small" title={path} onClick={() => start.mutate(path)} disabled={start.isPending}>
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}

function problemOf(error: Error): string {
  if (error instanceof CallError && error.answer?.errors !== undefined) {
    const [taken] = error.answer.errors.as ?? [];
    // The API offers a parameter that this form does not have.
    if (taken !== undefined) return `${taken.split(';')[0]}. Another name can be given with strata import --as.`;
    const [problem] = Object.values(error.answer.errors).flat();
    if (problem !== undefined) return problem;
  }
  return error.message;
}
