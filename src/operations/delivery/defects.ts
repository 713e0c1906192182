// Critical defects: recorded, updated and marked as fixed by calls in any order, and listed.

import { reconcileDefects } from '../../derive/delivery/reconcile-defects.ts';
import { type RangeInput, readDateRange } from '../../domain/calendar/date-range.ts';
import { requirePast } from '../../domain/calendar/not-in-the-future.ts';
import { StrataError } from '../../domain/errors.ts';
import type { ResourcePath } from '../../domain/resource-path.ts';
import { findCommit, type NamedCommit } from '../../storage/commits/find-commit.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import {
  addDefectFixes,
  addDefectScopes,
  type DefectChange,
  deleteDefect,
  findDefect,
  insertDefect,
  linkFixCommit,
  listDefects,
  listFixesBefore,
  updateDefect,
} from '../../storage/delivery/defects.ts';
import { type Grant, requireInside } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { fetchUntil } from '../repos/fetch-now.ts';
import { findResource, type ResourceIds } from '../repos/find-resources.ts';
import { type DefectRecord, defectToRecord } from './defect-view.ts';
import { enqueueDerivation } from './enqueue-derivation.ts';
import { type Paging, PER_PAGE, pagingOf, resolveListScope } from './list-scope.ts';

export interface DefectInput {
  readonly defect_key: string;
  readonly detected_at?: Date | undefined;
  readonly detected_now: boolean;
  readonly category?: string | undefined;
  readonly description?: string | undefined;
  readonly severity?: number | undefined;
  readonly fix_released_at?: Date | undefined;
  readonly fix_released_now: boolean;
  readonly fix_released_sha?: string | undefined;
  readonly fix_pushed_at?: Date | undefined;
  readonly fix_repo_path?: ResourcePath | undefined;
}

export interface RecordedDefect {
  readonly isNew: boolean;
  /** As it was first written. */
  readonly key: string;
  readonly hasFix: boolean;
  /** Things that were sent and had no effect. */
  readonly warnings: readonly string[];
}

export interface DefectListInput extends RangeInput {
  readonly team_slug?: string | undefined;
  readonly page: number;
}

export interface DefectOperations {
  record(grant: Grant<'member'>, input: DefectInput): Promise<RecordedDefect>;
  list(grant: Grant<'member'>, input: DefectListInput): Promise<Paging & { readonly critical_defects: DefectRecord[] }>;
  /** With its fixes; returns its key as it was written. */
  remove(grant: Grant<'admin'>, defectKey: string): Promise<{ readonly key: string }>;
}

interface Fix {
  readonly place: ResourceIds & { readonly repo_id: number };
  readonly commit: NamedCommit | null;
  readonly sha: string | null;
  readonly pushedAt: Date | null;
  readonly releasedAt: Date | null;
}

export function createDefectOperations({ store: { db }, now }: OperationParts): DefectOperations {
  return {
    async record(grant, input) {
      const entityId = grant.entity.id;
      if (input.fix_repo_path !== undefined) requireInside(grant, [input.fix_repo_path]);
      const { detected_at, fix_released_at, fix_pushed_at } = input;
      requirePast({ detected_at, fix_released_at, fix_pushed_at }, now());
      const place = await findResource(db, entityId, grant.paths[0]!);
      const fix = await readFix(db, entityId, input, place, now());
      const { isNew, passed, ...defect } = await inTransaction(db, async (trx) => {
        // First, because it lets one call of an entity at a time pass: two cannot create the same defect.
        await bumpDataVersion(trx, entityId);
        const saved = await ensureDefect(trx, entityId, input, now());
        const { id } = saved;
        // The fix of this very call is told of by its own parameters.
        const passed =
          detected_at === undefined
            ? []
            : await listFixesBefore(trx, { entity_id: entityId, defect_id: id }, detected_at);
        await addDefectScopes(trx, entityId, [id], place);
        if (fix !== null) {
          await addDefectScopes(trx, entityId, [id], fix.place);
          await addDefectFixes(trx, [id], {
            entity_id: entityId,
            repo_id: fix.place.repo_id,
            fix_sha: fix.sha === null ? null : Buffer.from(fix.sha, 'hex'),
            pushed_at: fix.pushedAt,
            released_at: fix.releasedAt,
          });
          if (fix.commit !== null) {
            await linkFixCommit(trx, { entity_id: entityId, defect_id: id, commit_id: fix.commit.id });
          }
        }
        await reconcileDefects(trx, entityId, [id], grant.settings);
        await enqueueDerivation(trx, { entity_id: entityId });
        return { ...saved, passed };
      });
      const warnings = [
        ...ineffective(input, isNew, fix),
        ...normalised(input, defect, fix),
        ...passed.map(
          (at) =>
            `detected_at: a fix that was recorded is of ${at.toISOString()}, before it; it counts as of the detection`,
        ),
      ];
      return { isNew, key: defect.key, hasFix: fix !== null, warnings };
    },

    async remove({ entity }, defectKey) {
      return inTransaction(db, async (trx) => {
        await bumpDataVersion(trx, entity.id);
        const defect = await findDefect(trx, entity.id, defectKey);
        if (defect === undefined) {
          const message = `there is no defect "${defectKey.slice(0, 100)}"; GET /critical_defects lists those there are`;
          throw new StrataError('not_found', message, { errors: { defect_key: [message] } });
        }
        await deleteDefect(trx, defect);
        await enqueueDerivation(trx, { entity_id: entity.id });
        return { key: defect.defect_key };
      });
    },

    async list(grant, input) {
      const { entity } = grant;
      const { time_zone } = grant.settings;
      const { resources, repoIds } = await resolveListScope(db, grant, input.team_slug);
      const range = readDateRange(input, time_zone, now(), null);
      const { total, defects } = await listDefects(
        db,
        entity.id,
        { resources, repoIds, range },
        { limit: PER_PAGE, offset: (input.page - 1) * PER_PAGE },
      );
      const records = defects.map((row) => defectToRecord(row, entity.slug, time_zone, now()));
      return { ...pagingOf(input.page, total), critical_defects: records };
    },
  };
}

const refused = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });

async function readFix(
  db: Database,
  entityId: number,
  input: DefectInput,
  place: ResourceIds,
  now: Date,
): Promise<Fix | null> {
  const { fix_released_sha: sha, fix_pushed_at, fix_released_at, fix_released_now, fix_repo_path } = input;
  if (!fix_released_now && !sha && !fix_released_at && !fix_pushed_at) return null;
  const target = fix_repo_path === undefined ? place : await findResource(db, entityId, fix_repo_path);
  if (target.repo_id === null) {
    throw refused(
      'resource_path',
      'a fix is made in a repo, but this names an organization or an entity; ' +
        'name the repo here as <entity>/<organization>/<repo>, or in fix_repo_path',
    );
  }
  const repoId = target.repo_id;
  const commit =
    sha === undefined ? null : await fetchUntil(db, { entityId, repoId }, () => findCommit(db, entityId, repoId, sha));
  if (commit === undefined) {
    throw refused(
      'fix_released_sha',
      `${sha} is not a commit known in this repo, also not after it was fetched; expected one that is pushed to it`,
    );
  }
  const releasedAt = fix_released_now
    ? now
    : commit !== null
      ? new Date(commit.authored_at)
      : (fix_released_at ?? null);
  return {
    place: { ...target, repo_id: target.repo_id },
    commit,
    sha: sha ?? null,
    pushedAt: fix_pushed_at ?? null,
    releasedAt,
  };
}

async function ensureDefect(db: Database, entityId: number, input: DefectInput, now: Date): Promise<SavedDefect> {
  const change: DefectChange = {
    ...(input.category === undefined ? {} : { category: input.category }),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.severity === undefined ? {} : { severity: input.severity }),
    ...(input.detected_at === undefined ? {} : { detected_at: input.detected_at }),
  };
  const existing = await findDefect(db, entityId, input.defect_key);
  if (existing !== undefined) {
    await updateDefect(db, entityId, existing.id, change, now);
    const detectedAt = input.detected_at ?? new Date(existing.detected_at);
    return { id: existing.id, key: existing.defect_key, isNew: false, detectedAt };
  }
  const detectedAt = input.detected_at ?? (input.detected_now ? now : undefined);
  if (detectedAt === undefined) {
    const message = `is missing; the defect "${input.defect_key}" is new, and needs detected_at or detected_now`;
    throw new StrataError('missing_conditional_parameter', `detected_at: ${message}`, {
      errors: { detected_at: [message] },
    });
  }
  const id = await insertDefect(db, {
    ...change,
    entity_id: entityId,
    defect_key: input.defect_key,
    detected_at: detectedAt,
    source_em: 'api',
  });
  return { id, key: input.defect_key, isNew: true, detectedAt };
}

interface SavedDefect {
  readonly id: number;
  readonly key: string;
  readonly isNew: boolean;
  readonly detectedAt: Date;
}

/** What was sent and is kept in another form. */
function normalised(
  input: DefectInput,
  { key, detectedAt }: Pick<SavedDefect, 'key' | 'detectedAt'>,
  fix: Fix | null,
): string[] {
  const warnings: string[] = [];
  if (key !== input.defect_key) warnings.push(`defect_key: "${input.defect_key}" is the defect "${key}"`);
  const released = input.fix_released_sha === undefined ? 'fix_released_at' : 'fix_released_sha';
  for (const [field, time] of [
    [released, fix?.releasedAt],
    ['fix_pushed_at', fix?.pushedAt],
  ] as const) {
    if (time === undefined || time === null || time >= detectedAt) continue;
    warnings.push(
      `${field}: ${time.toISOString()} is before the defect was detected, at ${detectedAt.toISOString()}; ` +
        'it counts as that time',
    );
  }
  return warnings;
}

function ineffective(input: DefectInput, isNew: boolean, fix: Fix | null): string[] {
  const warnings: string[] = [];
  if (input.detected_now && input.detected_at !== undefined) warnings.push('detected_now: ignored beside detected_at');
  else if (input.detected_now && !isNew) warnings.push('detected_now: ignored, because the defect was known already');
  if (input.fix_released_at !== undefined && (input.fix_released_now || input.fix_released_sha !== undefined)) {
    const winner = input.fix_released_now ? 'fix_released_now' : 'fix_released_sha';
    warnings.push(`fix_released_at: ignored beside ${winner}`);
  }
  if (input.fix_repo_path !== undefined && fix === null) {
    warnings.push('fix_repo_path: ignored, because no fix was sent (fix_released_at, _now or _sha, fix_pushed_at)');
  }
  return warnings;
}
