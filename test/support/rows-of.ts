// Facts of files as the rows that the engine hands to whoever adds them up.
import { FILE_MEASURES, type FileFact, type FileRows } from '../../src/engine/model/facts.ts';

export const rowsOf = (files: readonly FileFact[]): FileRows => ({
  visitFiles(visit) {
    for (const file of files)
      visit(
        file.path,
        file.status,
        file.category,
        FILE_MEASURES.map((name) => file[name]),
      );
  },
});
