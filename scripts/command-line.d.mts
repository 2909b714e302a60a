export declare class UsageError extends Error {}
export declare function readFlags<const Flag extends string, const Text extends string>(
  args: string[],
  flags: readonly Flag[],
  texts: readonly Text[],
): { [name in Flag]?: boolean } & { [name in Text]?: string }
export declare function readNames(flag: string, text: string | undefined, known: readonly string[]): string[]
export declare function readNumber(flag: string, text: string, least: number): number
