// For `node --import`: appends the address of every module that the process loads to the file LOADED_MODULES.
import { register } from 'node:module';

const hooks = `
  import { appendFileSync } from 'node:fs';
  export function load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n');
    return next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
