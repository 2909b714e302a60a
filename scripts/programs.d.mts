export declare function findProgram(name: string): string | undefined
export declare function findChromium(): string | undefined
export declare function findPostgres(): string | undefined
