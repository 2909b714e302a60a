import { useEffect, useRef } from 'react'
import type { Question } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { questionWords } from '../questions/question-card.tsx'
import { useBench } from '../state/store.ts'

const title = 'Tenon Workbench'

/** Questions show in the title of the document, and as notifications while the page is in the background. */
export function useAttention(): void {
  const questions = useBench((bench) => bench.questions)
  const servers = useBench((bench) => bench.servers)
  const [first] = questions
  const line = first && lineOf(first, servers.find(({ id }) => id === first.server)?.spec.name)
  useEffect(() => {
    document.title = line === undefined ? title : `(${questions.length}) ${line} · ${title}`
  }, [line, questions.length])
  const told = useRef(new Set<string>())
  useEffect(() => {
    for (const question of questions) {
      if (told.current.has(question.id)) continue
      told.current.add(question.id)
      notify(question, lineOf(question, servers.find(({ id }) => id === question.server)?.spec.name))
    }
  }, [questions, servers])
}

const lineOf = ({ kind }: Question, server = 'A server'): string => `${visibleLine(server)} ${questionWords[kind]}`

function notify(question: Question, line: string): void {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return
  const body = question.kind === 'form' || question.kind === 'url' ? visibleLine(question.message).slice(0, 200) : ''
  const notification = new Notification(line, { body, tag: question.id, icon: './icon.svg' })
  notification.onclick = () => {
    window.focus()
    notification.close()
  }
}
