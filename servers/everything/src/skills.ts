import { type ServedSkills, skillsFrom } from '@tenon/sdk/skills'

/** How to use this server, for agents: the folder `skills` of this package. */
export const skills: ServedSkills = await skillsFrom(new URL('../skills/', import.meta.url))
