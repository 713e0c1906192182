// What stands in place of a page that cannot be shown.
import type { ErrorComponentProps } from '@tanstack/react-router';
import { CallError, UNREACHABLE } from '../api/call.ts';
import { capitalize } from '../text/words.ts';
import { Button, LinkButton } from '../ui/controls/button.tsx';
import { PartMissing } from '../ui/late-part.tsx';
import { Empty } from '../ui/surfaces/empty.tsx';
import styles from './error-page.module.css';

export function MissingPage() {
  return (
    <main className={styles.page} id="main">
      <Brand />
      <MissingHere />
    </main>
  );
}

/** The same inside of the frame of an entity. */
export function MissingHere() {
  return (
    <>
      <title>Not found · Strata</title>
      <Empty
        title="There is no such page"
        text="The address leads nowhere. It may have been cut off when it was copied."
      >
        <LinkButton href="/">Go to the overview</LinkButton>
      </Empty>
    </>
  );
}

export function Brand() {
  return (
    <p className={styles.brand}>
      <img src="/favicon.svg" alt="" width="22" height="22" /> Strata
    </p>
  );
}

export function ErrorPage({ error }: ErrorComponentProps) {
  if (isSignedOut(error)) return null;
  return (
    <main className={styles.page} id="main">
      <Brand />
      <ErrorHere error={error} />
    </main>
  );
}

/** The same inside of the frame of an entity, which has the main part already. */
export function ErrorHere({ error }: Pick<ErrorComponentProps, 'error'>) {
  if (isSignedOut(error)) return null;
  const { title, text } = describeError(error);
  return (
    <>
      <title>{`${title} · Strata`}</title>
      <Empty title={title} text={text} reason="error">
        <Button onClick={() => location.reload()}>Try again</Button>{' '}
        <LinkButton href="/">Go to the overview</LinkButton>
      </Empty>
    </>
  );
}

/** The page is on its way to the sign-in; nothing to say meanwhile. */
const isSignedOut = (error: unknown): boolean => error instanceof CallError && error.status === 401;

function describeError(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof PartMissing) {
    return {
      title: 'A part of the page did not come',
      text: 'The server does not answer, or it was upgraded since the page was loaded.',
    };
  }
  if (!(error instanceof CallError)) {
    return { title: 'The page has a fault', text: `It stopped with: ${String(error)}` };
  }
  if (error.status === UNREACHABLE) {
    return { title: 'The server does not answer', text: 'It may be restarting, or the network is down.' };
  }
  if (error.status === 404) {
    return { title: 'Nothing here for you', text: 'It does not exist, or your user has no role in it.' };
  }
  const trace = error.trace === null ? '' : ` Trace ${error.trace}.`;
  return {
    title: error.status === 403 ? 'Your role does not reach this' : 'The server could not answer',
    text: `${capitalize(error.message)}.${trace}`,
  };
}
