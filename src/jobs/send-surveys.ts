// Sends surveys whose time has come and closes those whose time is up. Each in a transaction of its own,
// so that one that fails holds up no other.
import { openSurvey } from '../storage/surveys/open-survey.ts';
import { findSurvey, listDueSurveys, updateSurvey } from '../storage/surveys/surveys.ts';
import type { Task } from './task.ts';

const MOST_AT_ONCE = 200;

export const sendSurveys: Task<'send_surveys'> = {
  description: 'Sends and closes surveys at their set times.',
  cron: { pattern: '* * * * *', payload: {} },
  async run(_payload, { log }, { store, now, links }) {
    const due = await listDueSurveys(store.db, now(), MOST_AT_ONCE);
    for (const { entity_id, id } of due) {
      await store.db.transaction().execute(async (trx) => {
        const at = now();
        // Looked at again under the lock: somebody may have sent or closed it meanwhile.
        const survey = await findSurvey(trx, entity_id, id, 'for update');
        if (survey === undefined) return;
        const isOver = survey.closes_at !== null && Date.parse(survey.closes_at) <= at.getTime();
        // One that should long have been sent, while nobody was working, is not opened only to be closed.
        if (isOver && survey.status_em !== 'closed') {
          await updateSurvey(trx, entity_id, id, { status_em: 'closed', closed_at: survey.closes_at ?? at });
          log.info({ entity_id, survey_id: id }, 'closed a survey');
          return;
        }
        if (survey.status_em !== 'scheduled' || survey.send_at === null || Date.parse(survey.send_at) > at.getTime())
          return;
        if (links === undefined) throw new Error('links of surveys need the secret and the address of the service');
        const mail = await openSurvey(trx, survey, links, at);
        log.info({ entity_id, survey_id: id, ...mail }, 'sent a survey');
      });
    }
  },
};
