/** The published revisions of the protocol, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

/** A published revision of the protocol. */
export type Revision = (typeof revisions)[number]

export const isRevision = (value: unknown): value is Revision => (revisions as readonly unknown[]).includes(value)
