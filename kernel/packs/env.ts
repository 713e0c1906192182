// What the caller does for the kernel. The name of this file is that of the imports.

/** Reads so many bytes from the location on to a place; answers how many there were. */
export declare function readPack(location: f64, length: i32, to: usize): i32;
/** The location of the object whose name lies there; negative when no pack holds it. */
export declare function locateName(at: usize): f64;
/** 1 when a generator's mark stands at the top of the file that lies there, else 0. */
export declare function isMarked(at: usize, length: i32): i32;
