// Survival of lines of real repositories: recomputed from `git blame` at two dates and from line events, and by both published
// definitions.
//   npm run bench:survival -- REPO… [--days 90]
import { spawnSync } from 'node:child_process';
import { SURVIVAL_DAYS } from '../../src/domain/ai/survival.ts';
import {
  readLineEvents,
  standingByBlame,
  standingByEvents,
  survivalByLine,
  survivalByPullRequest,
  survivedPercent,
} from '../../test/oracles/survival.ts';

const args = process.argv.slice(2);
const at = args.indexOf('--days');
const days = at < 0 ? 90 : Number(args.splice(at, 2)[1]);

for (const path of args) {
  const git = (...command: string[]): string => {
    const result = spawnSync('git', ['--git-dir', path, ...command], { maxBuffer: 1 << 30, encoding: 'utf8' });
    if (result.status !== 0) throw new Error(`git ${command[0]}: ${result.stderr}`);
    return result.stdout;
  };
  const head = git('rev-parse', 'HEAD').trim();
  const until = Number(git('log', '-1', '--format=%ct', head));
  const first = git('rev-list', '-1', '--first-parent', `--before=${until - days * 86_400}`, head).trim();
  const events = await readLineEvents(path, head);
  const [byBlame, byEvents] = [standingByBlame, standingByEvents].map((standingBy) => {
    const [before, after] = [first, head].map((commit) => standingBy(events, git, commit));
    const lines = [...before!.values()].reduce((sum, count) => sum + count, 0);
    return { lines, percent: survivedPercent(before!, after!) };
  });
  const dateOf = (commit: string) => git('log', '-1', '--format=%cs', commit).trim();
  console.log(`${path}: ${dateOf(first)} to ${dateOf(head)}`);
  console.log(`  by blame  ${byBlame!.lines} lines, ${byBlame!.percent.toFixed(2)} % stand`);
  console.log(`  by events ${byEvents!.lines} lines, ${byEvents!.percent.toFixed(2)} % stand`);
  const byLine = survivalByLine(events, SURVIVAL_DAYS);
  const byPull = survivalByPullRequest(events, git, head, SURVIVAL_DAYS);
  const shown = (points: typeof byLine) =>
    points.map(({ age_days, survival_percent }) => `${age_days} d ${survival_percent} %`).join(', ');
  console.log(`  by line event   ${shown(byLine)}`);
  console.log(`  by pull request ${shown(byPull)}`);
}
