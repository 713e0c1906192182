// Who gets a survey: the members of teams on that day and persons by name, each once.
import { LONGEST_EMAIL, MAIL_ADDRESS } from '../../domain/email-address.ts';
import { StrataError } from '../../domain/errors.ts';
import type { Database } from '../../storage/database/handle.ts';
import { listMembersOn, listPeople, type Member, type Person } from '../../storage/surveys/people.ts';
import type { NewRecipient } from '../../storage/surveys/surveys.ts';
import { findAddresses } from '../../storage/teams/members.ts';
import { ensureDefaultTeam, findTeamsBySlug } from '../../storage/teams/teams.ts';
import { findCommitters } from '../people/resolve-committer.ts';

/** Code hosts hide addresses behind ones that take no mail. */
const UNREACHABLE = /no-?reply/i;

export const isAddress = (text: string): boolean => text.length <= LONGEST_EMAIL && MAIL_ADDRESS.test(text);
const reachable = (email: string | null): string | null =>
  email !== null && isAddress(email) && !UNREACHABLE.test(email) ? email.toLowerCase() : null;

export interface ChosenRecipients {
  readonly recipients: NewRecipient[];
  readonly team_ids: number[];
}

export async function chooseRecipients(
  db: Database,
  entity: { readonly id: number; readonly slug: string },
  input: { readonly team_slugs?: readonly string[] | undefined; readonly recipients?: readonly string[] | undefined },
  today: string,
): Promise<ChosenRecipients> {
  const teamIds = await findTeamIds(db, entity, input.team_slugs ?? []);
  const members = await listMembersOn(db, entity.id, today, teamIds);
  const wanted = members.filter(({ team_id }) => teamIds.includes(team_id));
  const named = input.recipients ?? [];
  const strangers = wanted.filter(({ committer_id }) => committer_id === null);
  const committers = await findCommitters(db, entity.id, [
    ...new Set([...named, ...strangers.flatMap(({ identifier, email }) => [identifier, ...(email ? [email] : [])])]),
  ]);
  const unknown = named.filter((name) => !committers.has(name) && !isAddress(name));
  if (unknown.length > 0) {
    const list = unknown.slice(0, 20).map((name) => `"${name.slice(0, 100)}"`);
    throw refused(
      'recipients',
      `nobody is known as ${list.join(', ')}; expected user names of committers of ${entity.slug}, or e-mail addresses`,
    );
  }
  const idOf = (name: string): number | null => committers.get(name)?.id ?? null;
  const candidates = [
    ...wanted.map((member) => ({
      committer_id:
        member.committer_id ?? idOf(member.identifier) ?? (member.email === null ? null : idOf(member.email)),
      identifier: member.identifier,
      email: member.email,
    })),
    ...named.map((name) => ({ committer_id: idOf(name), identifier: name, email: isAddress(name) ? name : null })),
  ];
  const ids = [...new Set(candidates.flatMap(({ committer_id }) => committer_id ?? []))];
  const [people, addresses] = await Promise.all([listPeople(db, entity.id, ids), findAddresses(db, entity.id, ids)]);
  const recipients = assemble(candidates, { people, addresses, members, teamIds });
  if (recipients.length === 0) {
    throw teamIds.length > 0
      ? refused('team_slugs', `the teams have no members on ${today}, and recipients names nobody`)
      : new StrataError(
          'missing_conditional_parameter',
          'a survey needs somebody to answer: give team_slugs or recipients',
          {
            errors: {
              recipients: ['is missing; expected user names or e-mail addresses where team_slugs is not given'],
            },
          },
        );
  }
  return { recipients, team_ids: teamIds };
}

const refused = (field: string, message: string): StrataError =>
  new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });

async function findTeamIds(db: Database, entity: { id: number; slug: string }, slugs: readonly string[]) {
  if (slugs.length > 0) await ensureDefaultTeam(db, entity.id);
  const teams = await findTeamsBySlug(db, entity.id, slugs);
  const unknown = slugs.find((slug) => !teams.has(slug));
  if (unknown !== undefined) {
    throw refused('team_slugs', `there is no team "${unknown.slice(0, 100)}" in ${entity.slug}`);
  }
  return [...new Set(slugs.map((slug) => teams.get(slug)!.id))];
}

interface Candidate {
  readonly committer_id: number | null;
  readonly identifier: string;
  readonly email: string | null;
}

const keyOf = ({ committer_id, identifier, email }: Candidate): string =>
  committer_id === null ? (email ?? identifier).toLowerCase() : `#${committer_id}`;

interface Known {
  readonly people: ReadonlyMap<number, Person>;
  readonly addresses: ReadonlyMap<number, string>;
  readonly members: readonly Member[];
  readonly teamIds: readonly number[];
}

function assemble(candidates: readonly Candidate[], { people, addresses, members, teamIds }: Known): NewRecipient[] {
  const teams = new Map<string, number[]>();
  for (const member of members) {
    if (member.is_default) continue;
    const key = keyOf(member);
    teams.set(key, [...(teams.get(key) ?? []), member.team_id]);
  }
  const recipients = new Map<string, NewRecipient>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    if (recipients.has(key)) continue;
    const own = teams.get(key) ?? [];
    const person = candidate.committer_id === null ? undefined : people.get(candidate.committer_id);
    recipients.set(key, {
      committer_id: person?.id ?? null,
      identifier: (person?.committer_user_name ?? candidate.email ?? candidate.identifier).toLowerCase(),
      full_name: person?.full_name || null,
      // An address that was given goes before one that was found in commits.
      email: reachable(candidate.email) ?? (person === undefined ? null : (addresses.get(person.id) ?? null)),
      // One person counts in one team: the first of those that were asked, otherwise the person's first.
      team_id: teamIds.find((id) => own.includes(id)) ?? own[0] ?? null,
    });
  }
  return [...recipients.values()];
}
