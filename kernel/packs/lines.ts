// The similarity of files asks for this here; it goes with it.
import { isBinary } from '../diff/lines.ts';

export { isBinary };
