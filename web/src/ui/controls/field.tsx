// A labelled input with room for what is wrong with it.
import { type InputHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | null;
}

export function Field({ label, hint, problem = null, ...input }: FieldProps) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={styles.input}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note === undefined ? null : (
        <p
          id={`${id}-note`}
          className={problem === null ? styles.hint : styles.problem}
          role={problem === null ? undefined : 'alert'}
          data-problem={problem === null ? undefined : ''}
        >
          {note}
        </p>
      )}
    </div>
  );
}
