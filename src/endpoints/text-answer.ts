// An answer that is a text and not a record, such as a CSV file.

export class TextAnswer {
  readonly contentType: string;
  readonly text: string;
  readonly fileName: string;
  /** What the text has no place for, such as the number of pages. */
  readonly facts: Readonly<Record<string, number>>;

  constructor(answer: Pick<TextAnswer, 'contentType' | 'text' | 'fileName' | 'facts'>) {
    this.contentType = answer.contentType;
    this.text = answer.text;
    this.fileName = answer.fileName;
    this.facts = answer.facts;
  }
}
