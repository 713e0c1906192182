// Committers that may be one person: they sign with the same full name, and more than the name speaks for it. Only roots are
// compared, so what is merged already is not suggested; what was split on purpose is not either.
import { sql } from 'kysely';
import { IDENTITY_EVIDENCE, type IdentityEvidence } from '../../domain/people/identity-evidence.ts';
import type { Database } from '../database/handle.ts';

export interface IdentitySuggestion {
  readonly committer_user_name: string;
  readonly into_user_name: string;
  readonly full_name: string;
  readonly evidence: readonly { readonly evidence_em: IdentityEvidence; readonly detail: string }[];
}

interface Candidate {
  readonly name: string;
  readonly shown_name: string;
  readonly id: number;
  readonly committer_user_name: string;
  readonly commit_count: number;
  /** Private addresses of hosts. */
  readonly host_addresses: readonly string[];
  readonly repos: readonly string[];
}

/** A name that more people bear says nothing about who is who. */
const MOST_BEARERS = 6;

/** Bearers of each full name of at least two words, with what may speak for them being one. */
async function readCandidates(db: Database, entityId: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with named as materialized (
      select lower(regexp_replace(trim(s.name), '\\s+', ' ', 'g')) as name, min(trim(s.name)) as shown_name, r.id,
        array_agg(distinct i.address_key) filter (where i.address_key ~ '@(users\\.)?noreply\\.') as host_addresses
      from committers r
      join committers c on c.entity_id = ${entityId} and c.root_committer_id = r.id
      join committer_identities i on i.entity_id = ${entityId} and i.committer_id = c.id
      join signatures s on s.entity_id = ${entityId} and s.address_key = i.address_key
      where r.entity_id = ${entityId} and r.id = r.root_committer_id and not r.is_bot and not r.is_ai_agent
        and trim(s.name) ~ '\\S\\s+\\S'
      group by 1, r.id
    ), shared as (
      select name from named group by name having count(*) between 2 and ${MOST_BEARERS}
    ), worked as (
      select c.root_committer_id as id, d.repo_id, sum(d.commit_count) as commit_count
      from daily_commits d join committers c on c.entity_id = d.entity_id and c.id = d.committer_id
      where d.entity_id = ${entityId} group by 1, 2
    ), work as materialized (
      select w.id, sum(w.commit_count) as commit_count, array_agg(o.slug || '/' || p.slug order by o.slug || '/' || p.slug) as repos
      from worked w
      join repos p on p.entity_id = ${entityId} and p.id = w.repo_id
      join organizations o on o.entity_id = ${entityId} and o.id = p.organization_id
      group by w.id
    )
    select n.name, n.shown_name, n.id, r.committer_user_name, coalesce(n.host_addresses, '{}') as host_addresses,
      coalesce(w.commit_count, 0)::int as commit_count, coalesce(w.repos, '{}') as repos
    from shared h
    join named n on n.name = h.name
    join committers r on r.entity_id = ${entityId} and r.id = n.id
    left join work w on w.id = n.id
    order by n.name, commit_count desc, n.id`.execute(db);
  return rows;
}

const MOST_REPOS = 3;

function evidenceOf(a: Candidate, b: Candidate): IdentitySuggestion['evidence'] {
  const found: { evidence_em: IdentityEvidence; detail: string }[] = [];
  const [address] = [...b.host_addresses, ...a.host_addresses];
  if (address !== undefined && (a.host_addresses.length === 0 || b.host_addresses.length === 0)) {
    const detail = `both sign as ${a.shown_name}, one of them from the private address ${address} of a code host`;
    found.push({ evidence_em: 'same_name_and_host_address', detail });
  }
  const common = a.repos.filter((repo) => b.repos.includes(repo));
  if (common.length > 0) {
    const more = common.length > MOST_REPOS ? ` and ${common.length - MOST_REPOS} more` : '';
    const detail = `both sign as ${a.shown_name} in ${common.slice(0, MOST_REPOS).join(', ')}${more}`;
    found.push({ evidence_em: 'same_name_in_same_repos', detail });
  }
  return found;
}

const pairOf = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;

async function readKeptApart(db: Database, entityId: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ a: number; b: number }>`
    select distinct a.root_committer_id as a, b.root_committer_id as b
    from committers_kept_apart k
    join committers a on a.entity_id = ${entityId} and a.id = k.committer_id
    join committers b on b.entity_id = ${entityId} and b.id = k.other_committer_id
    where k.entity_id = ${entityId}`.execute(db);
  return new Set(rows.map(({ a, b }) => pairOf(a, b)));
}

/** The strongest first: by how much speaks for it, then by what. */
export async function suggestIdentities(db: Database, entityId: number): Promise<IdentitySuggestion[]> {
  const byName = new Map<string, Candidate[]>();
  for (const each of await readCandidates(db, entityId))
    byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  const keptApart = await readKeptApart(db, entityId);
  const suggestions = new Map<string, IdentitySuggestion>();
  for (const bearers of byName.values()) {
    for (const [index, into] of bearers.entries()) {
      for (const child of bearers.slice(index + 1)) {
        const evidence = evidenceOf(into, child);
        const pair = pairOf(into.id, child.id);
        if (evidence.length === 0 || suggestions.has(pair) || keptApart.has(pair)) continue;
        suggestions.set(pair, {
          committer_user_name: child.committer_user_name,
          into_user_name: into.committer_user_name,
          full_name: into.shown_name,
          evidence,
        });
      }
    }
  }
  const rank = ({ evidence }: IdentitySuggestion): number =>
    IDENTITY_EVIDENCE.indexOf(evidence[0]!.evidence_em) - 10 * evidence.length;
  return [...suggestions.values()].toSorted((a, b) => rank(a) - rank(b));
}
