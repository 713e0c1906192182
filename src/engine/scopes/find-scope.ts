import type { LineTable } from '../line-history/line-table.ts';
export interface Scope { readonly functionName: string | null; readonly container: string | null; readonly documentation: string | null }
export function findScope(_path: string, _table: LineTable, _lineIndex: number): Scope { return { functionName: null, container: null, documentation: null }; }
