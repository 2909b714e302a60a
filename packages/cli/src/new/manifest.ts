import { linkedTo } from './clone.ts'
import type { Plan } from './plan.ts'

type Json = { [member: string]: unknown }

/** The `package.json` of a project. */
export function manifestOf(template: string, changes: string | undefined, plan: Plan): string {
  const manifest = JSON.parse(template) as Json
  if (changes !== undefined) merge(manifest, JSON.parse(changes) as Json)
  manifest.license = plan.license === 'none' ? 'UNLICENSED' : plan.license
  for (const group of ['dependencies', 'devDependencies']) {
    const ranges = manifest[group] as { [name: string]: string }
    if (plan.clone !== undefined) manifest[group] = linkedTo(plan.clone, ranges, plan.packageManager)
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** RFC 7386: members replace members, objects are merged, `null` removes. */
function merge(target: Json, changes: Json): void {
  for (const [name, change] of Object.entries(changes)) {
    const before = target[name]
    if (change === null) delete target[name]
    else if (isObject(change) && isObject(before)) merge(before, change)
    else target[name] = change
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
