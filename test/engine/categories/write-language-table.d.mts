export declare function languageTable(): string;
