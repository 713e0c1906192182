// What is taken for an e-mail address.

/** More does not fit into the envelope of a mail. */
export const LONGEST_EMAIL = 254;

/** Of a user: the first start makes admin@localhost, and hosts inside a network need no dot. */
export const USER_EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/u;

/** Where mail can go from here: none of what would need quotes, and a host with a dot. */
export const MAIL_ADDRESS = /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+\.[^\s@"(),:;<>[\\\].]+$/u;
