// What `strata analyze` does: reads a repository without any database and prints what happened in it.

import { basename, resolve } from 'node:path';
import { parseSince } from '../../domain/calendar/since.ts';
import { StrataError } from '../../domain/errors.ts';
import { MISSING_OBJECTS_REMEDY, unreadConventionsWords } from '../../domain/repos/missing-objects.ts';
import { chooseBranches } from '../../engine/git/counted-branches.ts';
import { readBranches, resolveCommit } from '../../engine/git/list-commits.ts';
import { listShallowEnds } from '../../engine/git/list-shas.ts';
import { type GitRepository, openRepository } from '../../engine/git/run-git.ts';
import { createDigest } from '../../engine/model/digest.ts';
import type { AnalysisEvent } from '../../engine/model/events.ts';
import { analyzeRepository } from '../../engine/walk/analyze.ts';
import { invalidOption } from '../invalid-option.ts';
import { openOrExplain } from '../open-or-explain.ts';
import { createProgressBar } from '../terminal/progress-bar.ts';
import { isColored, plainText, widthOf } from '../terminal/text.ts';
import { optionText, type VerbCall } from '../verb.ts';
import { CSV_HEADER, createCsvRows, createFactLines, withReason } from './files.ts';
import { openLines } from './line-output.ts';
import { describeCutOff, describeMissingObjects, renderSummary } from './render-summary.ts';
import { createSummary, type Summary, type SummaryTotals } from './summary.ts';
import { tuneForAnalysis } from './tune-v8.ts';

const FORMATS = ['table', 'json', 'csv'] as const;
type Format = (typeof FORMATS)[number];

export async function runAnalyze(call: VerbCall): Promise<void> {
  tuneForAnalysis();
  const path = call.args[0]!;
  const format = readFormat(optionText(call, 'format'));
  const threads = readThreads(optionText(call, 'threads'));
  const since = await parseSince(optionText(call, 'since') ?? '1y', { now: new Date(), zone: 'UTC', name: '--since' });
  const files = readFiles(call);
  const repository = await openOrExplain(path, () => openRepository(path, call.parts.childEnvironment()));
  const branch = optionText(call, 'branch');
  const branches = await readBranches(repository);
  const branchHead = branch === undefined ? undefined : await branchTip(repository, branch, branches.tips);
  const startedAt = performance.now();
  const chosen =
    branch === undefined ? await chooseBranches(repository, branches) : { tips: branches.tips, leftOut: [] };
  const options: Parameters<typeof analyzeRepository>[1] = {
    since,
    branches: { ...branches, tips: chosen.tips },
    withOrigins: call.options.origins !== undefined,
    withFiles: call.options.digest === true || call.options.facts !== undefined || format === 'csv',
    ...(threads === undefined ? {} : { threads }),
    ...(branchHead === undefined ? {} : { branchHead }),
  };
  const read = branchHead === undefined ? [...chosen.tips.values(), branches.head] : [branchHead];
  const cutOff = await listShallowEnds(
    repository,
    read.filter((sha) => sha !== null),
  );
  const summary = createSummary();
  const outputs = [
    ...(await openLines('--origins', files.origins, originLines)),
    ...(await openLines('--facts', files.facts, createFactLines(), () => {
      const reasons = summary.reasons();
      return (line) => withReason(line, reasons);
    })),
  ];
  const digest = call.options.digest === true ? createDigest() : null;
  const bar = createProgressBar(process.stderr);
  const csvRows = format === 'csv' && digest === null ? createCsvRows() : null;
  if (csvRows !== null) call.out(CSV_HEADER);
  for await (const event of analyzeRepository(repository, options)) {
    if (event.kind === 'progress') bar.show(event.done, event.total);
    digest?.add(event);
    for (const output of outputs) await output.write(event);
    sumUp(event, summary);
    if (event.kind === 'unread_conventions') call.err(`strata: ${plainText(unreadConventionsWords(event.paths))}`);
    if (csvRows !== null) for (const row of csvRows(event)) call.out(row);
    if (outputs.length === 0 && !call.hasReader()) break;
  }
  bar.close();
  // Nothing of the rest would reach anybody.
  if (outputs.length === 0 && !call.hasReader()) return;
  for (const output of outputs) await output.close();
  const totals = summary.totals();
  if (hasNoLine(totals)) throw notRead(path, totals);
  // The screen says so by itself.
  const isScreen = format === 'table' && digest === null;
  for (const remark of isScreen ? [] : [describeCutOff(cutOff.length), describeMissingObjects(totals)])
    if (remark !== null) call.err(`strata: ${remark}`);
  if (digest !== null) call.out(digest.value());
  else if (format === 'json')
    call.out(
      JSON.stringify({ ...totals, left_out_branches: chosen.leftOut, cut_off_commit_count: cutOff.length }, null, 2),
    );
  else if (format === 'table')
    call.out(
      renderSummary(totals, {
        // `.` and `..` name nothing.
        repository: /^[./]+$/.test(path) ? basename(resolve(path)) || path : path,
        branch: branch ?? branches.defaultBranch ?? 'HEAD',
        leftOut: chosen.leftOut,
        cutOffCommits: cutOff.length,
        elapsedMs: performance.now() - startedAt,
        width: widthOf(process.stdout),
        color: isColored(process.stdout),
      }),
    );
}

function sumUp(event: AnalysisEvent, summary: Summary): void {
  if (event.kind === 'commit') summary.add(event);
  else if (event.kind === 'final') summary.finish(event);
  else if (event.kind === 'verdict') summary.judge(event);
}

function* originLines(event: AnalysisEvent): Generator<string> {
  if (event.kind === 'origins') for (const run of event.runs) yield JSON.stringify(run);
}

/** Whether objects are missing, and of no commit a line was read: figures that are all 0 would say that nothing happened. */
const hasNoLine = ({ skip_reasons: { object_missing: lacking }, ...totals }: SummaryTotals): boolean =>
  lacking > 0 &&
  lacking >= totals.commit_count + totals.bot_commit_count &&
  totals.lines_changed + totals.lines_left_out.lines === 0;

function notRead(path: string, { skip_reasons: { object_missing: commits } }: SummaryTotals): StrataError {
  const of = commits === 1 ? 'one commit' : `${commits} commits`;
  return new StrataError(
    'unprocessable',
    `path: ${JSON.stringify(path)} has no line to read: objects of ${of} are missing, as in a clone with --filter. ` +
      `Give a whole clone; ${MISSING_OBJECTS_REMEDY}.`,
  );
}

function readFormat(text: string | undefined): Format {
  const format = FORMATS.find((known) => known === (text ?? 'table'));
  if (format === undefined) throw invalidOption('--format', text ?? '', `one of ${FORMATS.join(', ')}`);
  return format;
}

function readFiles(call: VerbCall): { origins: string | undefined; facts: string | undefined } {
  const [origins, facts] = [optionText(call, 'origins'), optionText(call, 'facts')];
  if (origins !== undefined && facts !== undefined && resolve(origins) === resolve(facts))
    throw invalidOption('--origins', origins, 'another file than --facts');
  return { origins, facts };
}

function readThreads(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const threads = Number(text);
  if (!Number.isInteger(threads) || threads < 1 || threads > 64)
    throw invalidOption('--threads', text, 'a whole number from 1 to 64');
  return threads;
}

async function branchTip(repository: GitRepository, name: string, tips: ReadonlyMap<string, string>): Promise<string> {
  const tip = tips.get(name) ?? (await resolveCommit(repository, name));
  if (tip === null) {
    const known = [...tips.keys()].slice(0, 10).join(', ');
    throw invalidOption(
      '--branch',
      name,
      known === '' ? 'a branch; the repository has none' : `a branch, such as ${known}`,
    );
  }
  return tip;
}
