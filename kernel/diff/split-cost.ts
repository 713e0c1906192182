// placeholder
import { Version } from './version.ts';
export function bestShift(version: Version, from: i32, to: i32, range: i32): i32 { return 0; }
