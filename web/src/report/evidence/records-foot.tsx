// Under a list of records: how many there are, and all of them as a file.
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Progress, type RecordList, readRecordsCsv } from '../../api/records-csv.ts';
import { countOf } from '../../text/numbers.ts';
import { sentence } from '../../text/words.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/surfaces/notice.tsx';
import { saveFile } from '../export/save-file.ts';
import styles from './drawer.module.css';

interface RecordsFootProps {
  readonly list: RecordList;
  /** Records of the list on all its pages; null while it is not known. */
  readonly count: number | null;
  /** Of the file, without its ending. */
  readonly name: string;
}

export function RecordsFoot({ list, count, name }: RecordsFootProps) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const save = useMutation({
    mutationFn: async () => {
      stop.current = new AbortController();
      const text = await readRecordsCsv(list, setProgress, stop.current.signal);
      saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
    },
    onSettled: () => setProgress(null),
  });
  return (
    <>
      {save.error === null ? null : <Notice kind="error">{sentence(save.error.message)}</Notice>}
      <footer className={styles.foot}>
        <span className={styles.quiet} aria-live="polite">
          {progress === null
            ? count === null
              ? ''
              : `${countOf(count, 'record')} in all`
            : `Reading page ${progress.page} of ${progress.pages}…`}
        </span>
        <Button size="small" onClick={() => save.mutate()} disabled={save.isPending || count === 0}>
          <Download aria-hidden="true" /> CSV of these
        </Button>
      </footer>
    </>
  );
}
