// The way to the process that started this one, where that keeps one open. A process that works for another ends when the
// other wants it to, or is gone; what a terminal sends to both is for the other to judge.
import type { SignalWatch } from './watch-signals.ts';

export interface ParentChannel {
  send(message: ChildMessage): void;
  /** Calls back with what the parent says, now and later. */
  onMessage(listener: (message: ParentMessage) => void): void;
  /** Resolves when the parent says stop or is gone, or when somebody ends just this process. */
  watch(): SignalWatch;
}

/** What a child says to its parent: it does its work; it has ended, and these jobs had not. */
export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'stopped'; readonly leftJobs: readonly string[] };
export type ParentMessage = { readonly kind: 'listens at'; readonly address: string } | { readonly kind: 'stop' };

/** Null where no parent listens. */
export function parentChannel(): ParentChannel | null {
  if (process.send === undefined) return null;
  return {
    send: (message) => void (process.connected && process.send?.(message)),
    onMessage: (listener) => void process.on('message', listener),
    watch() {
      const ignore = (): void => undefined;
      process.on('SIGINT', ignore);
      process.on('SIGHUP', ignore);
      const received = new Promise<string>((resolve) => {
        process.on('SIGTERM', resolve);
        process.on('disconnect', () => resolve('disconnect'));
        // It may have gone while this process was still loading.
        if (!process.connected) resolve('disconnect');
        process.on('message', (message: ParentMessage) => message.kind === 'stop' && resolve('stop'));
      });
      return {
        received,
        close() {
          process.off('SIGINT', ignore);
          process.off('SIGHUP', ignore);
        },
      };
    },
  };
}
