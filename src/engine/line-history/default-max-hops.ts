// By itself, so that the command line can name it in its help without loading the engine.

/** Changes that a line's history lists after the first. */
export const DEFAULT_MAX_HOPS = 5;
