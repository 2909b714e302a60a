import type { ElicitationSchema } from '@tenon/sdk/client'

const secret =
  /pass(?:word|phrase|code)|\bpwd\b|secret|api[\s_-]?key|\btoken\b|credential|private[\s_-]?key|\bpin\b|\bcvv\b|card[\s_-]?number|social[\s_-]?security|\bssn\b|\botp\b/i

/** The fields of a form that look as if they were for secrets, which servers must not ask for in forms. */
export const secretFields = ({ properties }: ElicitationSchema): string[] =>
  Object.entries(properties)
    .filter(([name, { title = '', description = '' }]) =>
      [wordsOf(name), title, description].some((text) => secret.test(text)),
    )
    .map(([name]) => name)

/** `apiToken` and `api_token` are words too. */
const wordsOf = (name: string): string => `${name} ${name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')}`
