// Issues on boards that lie across repos and whose fields people define: numbers, of which some are points, and iterations.

export interface BoardValue {
  readonly kind: 'number' | 'iteration';
  /** As people have named it; the setting `points_field_names` says which numbers are points. */
  readonly field_name: string;
  /** A number as text, or the iteration's `external_id` as a sprint. */
  readonly value: string;
  /** When it was set, as far as the host says: values before it are unknown. */
  readonly changed_at: string;
}

/** An issue on a board with all the values that it has there now. */
export interface BoardItem {
  readonly board_id: string;
  readonly issue_external_id: string;
  readonly values: readonly BoardValue[];
}

/** With `is_complete` whatever the walk has not shown is gone from the organization's boards. */
export interface BoardItems {
  readonly list: readonly BoardItem[];
  readonly is_complete: boolean;
}
