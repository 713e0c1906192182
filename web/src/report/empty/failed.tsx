// A chart whose answer did not come: why, and once more, or without the filter that is in the way.
import { useQueryClient } from '@tanstack/react-query';
import { sentence } from '../../text/words.ts';
import { Button, LinkButton } from '../../ui/controls/button.tsx';
import { hereWith, usePage } from '../page-context.ts';
import styles from './failed.module.css';
import { findGoneFilter } from './gone-filter.ts';

export function Failed({ error, height }: { readonly error: Error; readonly height?: number }) {
  const queries = useQueryClient();
  const page = usePage();
  const gone = findGoneFilter(error, page);
  const tryAgain = (): void =>
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  return (
    <div className={styles.failed} role="alert" style={height === undefined ? undefined : { minHeight: height }}>
      <p>{gone === null ? sentence(error.message) : `${sentence(gone.title)} ${gone.why}`}</p>
      {gone === null ? (
        <Button size="small" onClick={tryAgain}>
          Try again
        </Button>
      ) : (
        <LinkButton size="small" href={hereWith(page, gone.action.change)}>
          {gone.action.label}
        </LinkButton>
      )}
    </div>
  );
}
