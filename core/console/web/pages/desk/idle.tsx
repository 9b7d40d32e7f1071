import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../../session/store.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatMoment, formatTime } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { useCounts } from './counts.tsx'
import type { Desk } from './desk.ts'

/** Milliseconds after which due orders are worth another try although they became no more. Shorter than the poll of the counts. */
const RETRY_MS = 15_000

/** Last time that the desk asked for an order which was due. */
interface LastTry {
  readonly due: number
  readonly at: number
}

interface IdleProps {
  readonly desk: Desk
}

/** Desk without an order: it loads, nothing is due, the agent paused, or there is no network. */
export function Idle({ desk }: IdleProps) {
  const lastTry = useRef<LastTry>({ due: 0, at: 0 })
  switch (desk.phase.value) {
    case 'empty':
      return <Empty desk={desk} lastTry={lastTry} />
    case 'paused':
      return (
        <Notice title={t('desk.pausedTitle')} text={t('desk.pausedText')}>
          <ResumeButton desk={desk} label={t('desk.resume')} />
        </Notice>
      )
    case 'waiting':
      return <Notice title={t('desk.waitingTitle')} text={t('desk.waitingText')} />
    case 'failed':
      return (
        <div class="empty">
          <Failure error={desk.failure.value} />
          <ResumeButton desk={desk} label={t('retry')} />
        </div>
      )
    default:
      return (
        <div class="desk-skeleton" aria-busy="true">
          <p class="visually-hidden">{t('desk.loading')}</p>
          <span class="skeleton" />
          <span class="skeleton" />
          <span class="skeleton large" />
          <span class="skeleton block" />
        </div>
      )
  }
}

interface EmptyProps extends IdleProps {
  readonly lastTry: { current: LastTry }
}

/** Nothing is due. The next order comes by itself while somebody looks at the page. */
function Empty({ desk, lastTry }: EmptyProps) {
  const { timeZone } = useStore()
  const { data, dataUpdatedAt } = useCounts()
  const [shownAt] = useState(Date.now)
  useEffect(() => {
    if (!data || dataUpdatedAt <= shownAt || document.visibilityState !== 'visible') return
    // Some due orders are never for this agent, such as those of a colleague: only more of them, or some time, are worth another try.
    const { due, at } = lastTry.current
    const mayHaveNext = data.due > due || (data.due > 0 && Date.now() - at >= RETRY_MS)
    lastTry.current = { due: data.due, at: mayHaveNext ? Date.now() : at }
    if (mayHaveNext) desk.resume()
  }, [dataUpdatedAt])
  const next = data?.nextDueAt ?? null
  const isToday = next !== null && Date.parse(next) - Date.now() < 12 * 60 * 60_000
  const time = next !== null && (isToday ? formatTime(next, timeZone) : formatMoment(next, timeZone))
  return (
    <Notice title={t('desk.emptyTitle')} text={time ? t('desk.emptyNext', { time }) : t('desk.emptyText')}>
      <ResumeButton desk={desk} label={t('retry')} isQuiet />
    </Notice>
  )
}

interface NoticeProps {
  readonly title: string
  readonly text: string
  readonly children?: preact.ComponentChildren
}

const Notice = ({ title, text, children }: NoticeProps) => (
  <div class="empty" role="status">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
)

interface ResumeButtonProps {
  readonly desk: Desk
  readonly label: string
  readonly isQuiet?: boolean
}

const ResumeButton = ({ desk, label, isQuiet = false }: ResumeButtonProps) => (
  <button type="button" class={isQuiet ? 'button' : 'button primary large'} onClick={desk.resume}>
    {label}
  </button>
)
