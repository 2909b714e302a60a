import { type ServedSkills, skillsFrom } from '@tenon/sdk/skills'

/** The skills of the folder beside `dist`; the suite looks into the first one's directories. */
export const skills: ServedSkills = await skillsFrom(new URL('../../skills/', import.meta.url), {
  ttlMs: 60_000,
  cacheScope: 'public',
})
