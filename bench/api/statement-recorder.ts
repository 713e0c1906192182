// Takes down the statements that a request really sends, and sends them again as a bare route would: in the
// same order, transactions on one connection, and without whatever Strata does between them.
import type { Store } from '../../src/storage/database/handle.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Of the row that an insert made; later statements name it. */
  insertedId?: unknown;
}

interface Connection {
  query(text: string, values: unknown[]): Promise<{ rows: { id?: unknown }[] }>;
  release(isBroken?: boolean): void;
}

export interface StatementRecorder {
  record(act: () => Promise<void>): Promise<readonly Statement[]>;
}

/** Must get a store that has no connections yet besides idle ones, because connections are watched as they are taken. */
export function recordStatements(store: Store): StatementRecorder {
  let taken: Statement[] | null = null;
  const watched = new WeakSet<object>();
  store.pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (...args: unknown[]): unknown => {
      const [first, second] = args;
      const answer = send(...args);
      if (taken === null || typeof first !== 'string') return answer;
      const statement: Statement = { text: first, values: Array.isArray(second) ? [...second] : [] };
      taken.push(statement);
      if (answer instanceof Promise && /^\s*insert\b/.test(first)) {
        return answer.then((result: { rows: { id?: unknown }[] }) => {
          statement.insertedId = result.rows[0]?.id;
          return result;
        });
      }
      return answer;
    };
    Object.assign(client, { query });
  });
  return {
    async record(act) {
      taken = [];
      try {
        await act();
        return taken;
      } finally {
        taken = null;
      }
    },
  };
}

/** Puts other values in the place of recorded ones, also inside lists and longer texts. */
function exchange(value: unknown, [from, to]: readonly [string, string], ids: ReadonlyMap<unknown, unknown>): unknown {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (Array.isArray(value)) return value.map((item) => exchange(item, [from, to], ids));
  return ids.get(value) ?? value;
}

/** Returns the rows of each statement. `number` is what the recorded request had, and what this one has. */
export async function sendAgain(
  store: Store,
  statements: readonly Statement[],
  number: readonly [recorded: string, now: string],
): Promise<unknown[][]> {
  const ids = new Map<unknown, unknown>();
  const answers: unknown[][] = [];
  let client: Connection | null = null;
  try {
    for (const { text, values, insertedId } of statements) {
      if (text === 'begin') client = await store.pool.connect();
      const { rows } = await (client ?? store.pool).query(
        text,
        values.map((value) => exchange(value, number, ids)),
      );
      if (insertedId !== undefined) ids.set(insertedId, rows[0]?.id);
      answers.push(rows);
      if (text === 'commit') {
        client?.release();
        client = null;
      }
    }
  } finally {
    client?.release(true);
  }
  return answers;
}
