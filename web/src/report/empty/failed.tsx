// A chart whose answer did not come: why, and once more.
import { useQueryClient } from '@tanstack/react-query';
import { sentence } from '../../text/words.ts';
import { Button } from '../../ui/controls/button.tsx';
import styles from './failed.module.css';

export function Failed({ error, height }: { readonly error: Error; readonly height?: number }) {
  const queries = useQueryClient();
  const tryAgain = (): void =>
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  return (
    <div className={styles.failed} role="alert" style={height === undefined ? undefined : { minHeight: height }}>
      <p>{sentence(error.message)}</p>
      <Button size="small" onClick={tryAgain}>
        Try again
      </Button>
    </div>
  );
}
