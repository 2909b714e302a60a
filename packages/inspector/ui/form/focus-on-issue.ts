import { type RefObject, useEffect, useRef, useState } from 'react'

/** Where a person types or chooses in a field. */
const inputs = 'input, select, textarea, button:not(.field-actions *)'

/** Moves the focus to the first field of a form that has an issue, once the issues are shown. */
export function useFocusOnIssue(): [RefObject<HTMLFormElement | null>, () => void] {
  const form = useRef<HTMLFormElement>(null)
  const [wishes, setWishes] = useState(0)
  useEffect(() => {
    if (wishes === 0) return
    const field = form.current?.querySelector('.issue')?.closest('.field, .form')
    const input = field?.querySelector<HTMLElement>(inputs)
    input?.focus({ preventScroll: true })
    field?.scrollIntoView({ block: 'center' })
  }, [wishes])
  return [form, () => setWishes((before) => before + 1)]
}
