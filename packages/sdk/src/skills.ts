export type { SkillLimits } from './skills/read-entry.ts'
export type { FrontMatter, Skill, SkillResource } from './skills/protocol.ts'
export { type ServedSkills, type SkillsFromOptions, skillsFrom } from './skills/serve-skills.ts'
export { isSkillError, SkillError, type SkillProblem } from './skills/skill-error.ts'
export {
  fingerprint,
  type SkillFile,
  type SkillListing,
  type SkillsClient,
  type SkillsOptions,
  skillsOf,
} from './skills/use-skills.ts'
