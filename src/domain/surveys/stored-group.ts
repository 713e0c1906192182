// Of which team and cohort an answer is stored. Of an anonymous survey only where enough recipients share them; the team
// goes first. Results count recipients by the same rule, so that each answer stands beside those who were asked.
import { LEAST_RESPONSES } from './results.ts';

export interface RecipientGroup {
  readonly team_id: number | null;
  readonly ai_cohort: string | null;
}

export function storedGroupOf(
  survey: { readonly is_anonymous: boolean },
  recipients: readonly RecipientGroup[],
): (recipient: RecipientGroup) => RecipientGroup {
  if (!survey.is_anonymous) return ({ team_id, ai_cohort }) => ({ team_id, ai_cohort });
  const teams = countBy(recipients, ({ team_id }) => team_id);
  const shownTeam = ({ team_id }: RecipientGroup) => (teams.get(team_id)! >= LEAST_RESPONSES ? team_id : null);
  const cohortOf = (recipient: RecipientGroup): string => JSON.stringify([shownTeam(recipient), recipient.ai_cohort]);
  const cohorts = countBy(recipients, cohortOf);
  return (recipient) => ({
    team_id: shownTeam(recipient),
    ai_cohort: cohorts.get(cohortOf(recipient))! >= LEAST_RESPONSES ? recipient.ai_cohort : null,
  });
}

function countBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
