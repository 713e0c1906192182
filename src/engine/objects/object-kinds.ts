// What a mode of git's trees stands for.
const KIND = 0o170000;
const TREE = 0o40000;
const REGULAR = 0o100000;
const LINK = 0o120000;
const SUBMODULE = 0o160000;

export const isTree = (mode: number): boolean => (mode & KIND) === TREE;
export const isRegular = (mode: number): boolean => (mode & KIND) === REGULAR;
/** Has a blob, which a link's target is too. */
export const hasBlob = (mode: number): boolean => isRegular(mode) || (mode & KIND) === LINK;
/** Points at a commit of another repository. */
export const isSubmodule = (mode: number): boolean => (mode & KIND) === SUBMODULE;
export const isSameKind = (mode: number, other: number): boolean => (mode & KIND) === (other & KIND);
