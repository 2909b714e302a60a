export declare function structureOf(schema: unknown, path?: string): unknown
export declare function deriveSchema(published: string): string
