// An answer that is not JSON: its text goes out as it is, with what the body cannot say in headers.

export class TextAnswer {
  readonly contentType: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(contentType: string, text: string, headers: Readonly<Record<string, string>> = {}) {
    this.contentType = contentType;
    this.text = text;
    this.headers = headers;
  }
}
