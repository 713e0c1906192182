// A call that is made twice with the same Idempotency-Key is carried out once, and answered twice alike. The key's row is
// marked by the very transaction that carries the call out, so neither a lost answer nor a killed process can double it.
import { createHash, hkdfSync, randomUUID } from 'node:crypto';
import { type Caller, credentialKey } from '../../domain/access/caller.ts';
import { KEPT_HOURS } from '../../domain/access/idempotency.ts';
import { StrataError } from '../../domain/errors.ts';
import type { Work } from '../../kit/current-work.ts';
import { createSecretBox, KEY_BYTES, type SecretBox } from '../../kit/sealed-secret.ts';
import {
  claimCall,
  type KeyedRun,
  markKept,
  releaseCall,
  type StoredCall,
  storeAnswer,
} from '../../storage/access/idempotency-keys.ts';
import type { OperationParts } from '../operation-parts.ts';

/** A run that has shown nothing for so long was lost with its process. */
const SILENT_SECONDS = 120;

export interface RepeatableCall {
  readonly caller: Caller;
  readonly key: string;
  /** What the caller has shown, such as its token: seals the answer, which may hold secrets. */
  readonly secret: string;
  /** Method, address and parameters; the same text for the same call. */
  readonly request: string;
  readonly work: Work;
}

export interface IdempotencyOperations {
  /** `run` gets the work that its statements belong to; its answer must survive JSON. */
  once<T>(call: RepeatableCall, run: (work: Work) => Promise<T>): Promise<{ answer: T; isRepeated: boolean }>;
}

export function createIdempotencyOperations({ store: { db }, log }: OperationParts): IdempotencyOperations {
  return {
    async once<T>(call: RepeatableCall, run: (work: Work) => Promise<T>) {
      const keyed = readCall(call);
      const box = answerBox(call);
      const earlier = await claimCall(db, keyed, { silentSeconds: SILENT_SECONDS, keptHours: KEPT_HOURS });
      if (earlier !== null) return { answer: repeatAnswer(keyed, earlier, box) as T, isRepeated: true };
      const work: Work = Object.assign(call.work, {
        beforeCommit: async (send: Parameters<typeof markKept>[0]) => {
          if (!(await markKept(send, keyed))) throw isRunning();
        },
      });
      let answer: T;
      try {
        answer = await run(work);
      } catch (error) {
        await releaseCall(db, keyed).catch((failure: unknown) =>
          log.warn({ err: failure }, 'the Idempotency-Key of a call that failed stays taken for a while'),
        );
        throw error;
      }
      // What the call did stands; without its answer a repetition learns only that.
      await storeAnswer(db, keyed, box.seal(JSON.stringify(answer), CONTEXT)).catch((failure: unknown) =>
        log.warn({ err: failure }, 'the answer of a call with an Idempotency-Key could not be stored'),
      );
      return { answer, isRepeated: false };
    },
  };
}

const CONTEXT = 'answer of an idempotent call';
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const readCall = ({ caller, key, request }: RepeatableCall): KeyedRun => ({
  entity_id: caller.entity_id,
  credential: credentialKey(caller.via),
  key_sha256: sha256(key),
  request_sha256: sha256(request),
  run_id: randomUUID(),
});

const answerBox = ({ key, secret }: RepeatableCall): SecretBox =>
  createSecretBox(Buffer.from(hkdfSync('sha256', secret, key, CONTEXT, KEY_BYTES)));

const isRunning = (): StrataError =>
  new StrataError('conflict', 'a call with this Idempotency-Key is still being carried out; try again in a moment', {
    retryAfterSeconds: 1,
  });

function repeatAnswer(keyed: KeyedRun, { request_sha256, is_kept, answer }: StoredCall, box: SecretBox): unknown {
  if (!request_sha256.equals(keyed.request_sha256)) {
    throw new StrataError(
      'unprocessable',
      'this Idempotency-Key was used for another call; expected a new key, or the same method, address and parameters',
    );
  }
  if (!is_kept) throw isRunning();
  try {
    if (answer !== null) return JSON.parse(box.open(answer, CONTEXT));
  } catch {
    // Sealed under another credential of the same caller.
  }
  throw new StrataError(
    'conflict',
    'the call with this Idempotency-Key was carried out; its answer is not there any more',
  );
}
