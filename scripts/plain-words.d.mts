export type Place = { line: number; text: string }
export type Measured = { path: string; words: number; sentences: number; whats: Place[]; openers: Place[] }
export declare function measure(path: string, source: string): Measured
export declare function complaints(kind: 'comments' | 'docs', files: readonly Measured[]): string[]
