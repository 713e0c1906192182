import { expect, test } from 'vitest';
import { AnswerLog } from '../../src/collect/answer-log.ts';

const at = (time: string) => new Date(`2026-11-10T${time}Z`);
const answer = (status: number, hostTime: Date | null) => ({
  resource: 'core',
  method: 'GET',
  address: 'https://host.example/list',
  requestBody: null,
  status,
  headers: new Headers(),
  body: new Uint8Array(),
  budget: null,
  hostTime,
});

test('the clock of the host is that of the first good answer: a gateway that fails in its place has its own', () => {
  const log = new AnswerLog();
  log.begin();
  log.add(answer(502, at('23:00:00')), at('10:00:00'));
  expect(log.hostTime()).toBeNull();
  log.add(answer(200, at('10:00:01')), at('10:00:01'));
  log.add(answer(200, at('10:00:09')), at('10:00:09'));
  expect([log.hostTime(), log.count()]).toEqual([at('10:00:01'), 3]);
  log.begin();
  log.add(answer(304, at('10:05:00')), at('10:05:00'));
  expect(log.hostTime()).toEqual(at('10:05:00'));
});
