// How many people a team has. The API's own totals count every identity of a person.
import type { Team } from './queries.ts';

/** Its developers on a day; those who join later are listed too. */
export const countPeople = ({ developer_members: members }: Pick<Team, 'developer_members'>, day: string): number =>
  members.filter(({ from_on: from }) => from === null || from <= day).length;
