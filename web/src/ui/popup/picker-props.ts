// What a picker is given.

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export interface PickerProps {
  readonly label: string;
  /** What stands on the button when nothing is chosen, and clears the choice. */
  readonly anyLabel: string;
  readonly options: readonly Option[];
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** The pointer or the focus came near: time to fetch the options. */
  readonly onNear?: () => void;
}
