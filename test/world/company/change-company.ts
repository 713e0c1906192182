// Things that happen at a company while it is collected: each at its own time, the same for every run of a seed.
import { type Company, randomOf } from './company.ts';

export interface Change {
  readonly at: Date;
  apply(company: Company): void;
}

export function changesOf(seed: number, from: Date, count: number): Change[] {
  const random = randomOf(seed ^ 0x5eed);
  return Array.from({ length: count }, (_, index): Change => {
    const at = new Date(from.getTime() + index * 45_000);
    const iso = at.toISOString();
    const kind = Math.floor(random() * 6);
    const [lot, other] = [random(), random()];
    return {
      at,
      apply(target) {
        const repo = target.repos[0]!;
        const pull = repo.pulls[Math.floor(lot * repo.pulls.length)]!;
        const issue = repo.issues[Math.floor(lot * repo.issues.length)]!;
        const person = target.people[Math.floor(other * target.people.length)]!;
        const id = 500_000 + index * 10;
        if (kind === 0) {
          pull.title = `Changed ${index}`;
          pull.updatedAt = iso;
        } else if (kind === 1) {
          pull.reviews.push({ id, by: person, state: 'approved', at: iso });
          pull.updatedAt = iso;
        } else if (kind === 2) {
          const place = { path: 'src/new.ts', line: 3, reviewId: null };
          pull.comments.push({ id, by: person, at: iso, updatedAt: iso, body: `New ${index}`, place, answers: null });
          pull.updatedAt = iso;
        } else if (kind === 3) {
          pull.comments.push({
            id,
            by: person,
            at: iso,
            updatedAt: iso,
            body: `Said ${index}`,
            place: null,
            answers: null,
          });
          pull.updatedAt = iso;
        } else if (kind === 4) {
          issue.title = `Reworded ${index}`;
          issue.updatedAt = iso;
        } else {
          // A force push: the list of commits is another one.
          const last = pull.commits.at(-1)!;
          const sha = (index + 1).toString(16).padStart(40, 'f');
          pull.commits = [...pull.commits.slice(0, -1), { sha, at: last.at, by: last.by }];
          pull.updatedAt = iso;
        }
      },
    };
  });
}
