import { useEffect, useState } from 'preact/hooks'
import { t } from '../../words/words.ts'

const SECOND_MS = 1_000

/** Returns the whole seconds until a moment, counted down as they pass; 0 afterwards. */
function useSecondsUntil(endsAt: number): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [endsAt])
  return Math.max(0, Math.ceil((endsAt - now) / SECOND_MS))
}

/** Shows how long the order is still the agent's: `9:41`. */
export function LeaseTime({ endsAt }: { readonly endsAt: number }) {
  const seconds = useSecondsUntil(endsAt)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const [before, after] = t('desk.left', { time: '|' }).split('|')
  return (
    <span class="desk-left muted">
      {before}
      <span class="ltr">{time}</span>
      {after}
    </span>
  )
}

interface LeaseOverProps {
  readonly endsAt: number
  readonly onKeep: () => void
}

/** Says that the time for the order is over, with a button that leases it again. */
export function LeaseOver({ endsAt, onKeep }: LeaseOverProps) {
  if (useSecondsUntil(endsAt) > 0) return null
  return (
    <p class="notice wait row apart" role="status">
      <span>{t('desk.leaseOver')}</span>
      <button type="button" class="button" onClick={onKeep}>
        {t('desk.keep')}
      </button>
    </p>
  )
}
