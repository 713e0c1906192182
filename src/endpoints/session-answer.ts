// An answer with which a session begins or ends. How the caller keeps the session's secret is the transport's business.

export class SessionAnswer<Body> {
  readonly body: Body;
  /** Null: the caller's session has ended. */
  readonly session: { readonly secret: string; readonly expires_at: string } | null;

  constructor(body: Body, session: SessionAnswer<Body>['session']) {
    this.body = body;
    this.session = session;
  }
}
